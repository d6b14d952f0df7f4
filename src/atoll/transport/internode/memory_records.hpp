#pragma once
// Requests and answers of one-sided access to memory of another node. Each request or answer is a
// record, and several records share a message. Records of a pair of PEs are executed in the order
// in which they were sent. The data of large gets is divided into parts, and so is the data of
// large puts whose source lasts. Each part is sent in its own message, straight from memory to
// memory.

#include "atoll/transport/one_sided.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::transport::internode {

// The tags of messages with requests, answers and large data. Tags 1 and 2 are in use for buffers
// and notes (remote_wire.hpp).
inline constexpr int request_tag = 3;
inline constexpr int answer_tag = 4;
/// Large data of puts; the parts of a pair arrive in the order of their records.
inline constexpr int put_data_tag = 5;
inline constexpr int got_data_tag = 6;

/// Capacity of a message of records, in bytes.
inline constexpr std::size_t record_message_bytes = 16384;
/// Maximum bytes of data within a record. Larger data is sent separately or in several records.
inline constexpr std::size_t largest_inline = 8192;
/// Maximum bytes per part of separately sent data. MPI sends messages of this size eagerly. Larger
/// ones would need a rendezvous, which waits behind data that the receiver itself sends.
inline constexpr std::size_t largest_part = std::size_t{60} << 10;

enum class request_kind : std::uint8_t {
  put,        ///< stores the bytes that follow the record
  large_put,  ///< the bytes arrive in a separate message
  get,        ///< requests an answer that contains the bytes
  large_get,  ///< the bytes arrive in a separate message
  update,
  fence,  ///< later records wait until all large data announced before has arrived
  flush   ///< waits like a fence, and then requests an answer
};

struct request {
  request_kind kind;
  atomic_kind change{};
  std::uint8_t word_bytes = 0;
  bool wants_value = false;
  std::uint32_t bytes = 0;
  std::uint64_t offset = 0;
};

struct update_request {
  request head;
  std::uint64_t operand;
  std::uint64_t expected;
  std::uint64_t number;  ///< number that the answer repeats
};
/// A request for an answer: a get or a flush. The number of a flush is a `flush_is`.
struct numbered_request {
  request head;
  std::uint64_t number;  ///< number that the answer repeats
};

/// The reason of a flush: the PE needs room for further requests, or a task waits for completion.
enum class flush_is : std::uint64_t { for_room, awaited };

struct answer {
  std::uint64_t number;
  std::uint32_t bytes;  ///< number of bytes that follow the record
  bool is_flush;
};

}  // namespace atl::transport::internode
