#pragma once
// Records of requests and answers for one-sided access to memory of another node. Records of a pair
// of PEs are executed in order. Large gets, and large puts whose source lasts, travel in separate
// messages, straight from memory to memory, in parts.

#include "atoll/transport/one_sided.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::transport::far {

// The tags follow those of buffers and notes (remote_wire.hpp).
inline constexpr int request_tag = 3;
inline constexpr int answer_tag = 4;
inline constexpr int put_data_tag = 5;  ///< data of a pair is in the order of the records
inline constexpr int got_data_tag = 6;

/// Bytes per message of records.
inline constexpr std::size_t record_message_bytes = 16384;
/// Bytes of data in a record at most. Larger data is sent separately, or in several records.
inline constexpr std::size_t largest_inline = 8192;
/// Bytes per part of separately sent data. MPI sends parts of this size eagerly. A rendezvous would
/// wait behind the data that the receiver itself sends.
inline constexpr std::size_t largest_part = std::size_t{60} << 10;

enum class request_kind : std::uint8_t {
  put,        ///< the bytes follow
  large_put,  ///< the bytes come separately
  get,        ///< an answer brings the bytes
  large_get,  ///< the bytes come separately
  update,
  fence,  ///< separate data in flight is stored before later records
  flush   ///< like a fence, and an answer confirms it
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
  std::uint64_t number;  ///< repeated in the answer
};
/// A get, or a flush, whose number says why it was sent.
struct numbered_request {
  request head;
  std::uint64_t number;  ///< repeated in the answer
};

/// Why a PE asks whether its operations are complete.
enum class flush_is : std::uint64_t { for_room, awaited };

struct answer {
  std::uint64_t number;
  std::uint32_t bytes;  ///< bytes that follow
  bool is_flush;
};

}  // namespace atl::transport::far
