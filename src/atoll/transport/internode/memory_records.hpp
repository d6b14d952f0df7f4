#pragma once
// One-sided access to memory of another node uses messages: requests to the owner of the memory,
// and answers. Each request or answer is a record, and several records share a message. Records
// from one PE to another are executed in the order of sending. The data of a large get is divided
// into parts. If the caller keeps the source of a large put unchanged, the data of the put is
// divided into parts, too. Each part is a message of its own, which is sent directly from the
// source and received directly into the target.

#include "atoll/transport/one_sided.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::transport::internode {

// The tags of messages with requests, answers and large data. Tags 1 and 2 are the tags of network
// buffers and of notes (remote_wire.hpp).
inline constexpr int request_tag = 3;
inline constexpr int answer_tag = 4;
/// The tag of messages with data of large puts. Between two PEs, the data of large puts arrive in
/// the order of the requests that announce the data.
inline constexpr int put_data_tag = 5;
inline constexpr int got_data_tag = 6;

/// Maximum size in bytes of a message of records.
inline constexpr std::size_t record_message_bytes = 16384;
/// Maximum size in bytes of the data in a record. Larger data is sent in messages of its own or in
/// several records.
inline constexpr std::size_t largest_inline = 8192;
/// Maximum size in bytes of a part of large data. MPI sends messages of at most 60 KiB eagerly.
/// Larger messages would need a rendezvous, whose reply may wait behind data that the receiver
/// itself sends.
inline constexpr std::size_t largest_part = std::size_t{60} << 10;

enum class request_kind : std::uint8_t {
  put,        ///< request to store the bytes that follow the record
  large_put,  ///< request to store bytes, which arrive in a message of their own
  get,        ///< request for an answer that contains bytes of the memory
  large_get,  ///< request for bytes, which are sent in a message of their own
  update,
  fence,  ///< request that makes later requests wait until all announced large data has arrived
  flush   ///< request that waits like a fence and is then answered
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
  std::uint64_t number;  ///< number of the request; the answer has the same number
};
/// A request for an answer: a get or a flush. If the request is a flush, `number` contains the
/// reason for the flush (`flush_is`).
struct numbered_request {
  request head;
  std::uint64_t number;  ///< number of the request; the answer has the same number
};

/// The reason for a flush: the PE needs room for further requests, or a task waits for completion.
enum class flush_is : std::uint64_t { for_room, awaited };

struct answer {
  std::uint64_t number;
  std::uint32_t bytes;  ///< number of bytes that follow the record
  bool is_flush;
};

}  // namespace atl::transport::internode
