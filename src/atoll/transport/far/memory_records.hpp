#pragma once
// What one-sided access to memory of another node is made of: records of requests and of answers.
// Those of a pair of PEs are executed in their order. What is got, and what is put and lasts,
// travels by itself where it is large, straight from memory to memory, in parts.

#include "atoll/transport/one_sided.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::transport::far {

// Behind those of buffers and notes (remote_wire.hpp).
inline constexpr int request_tag = 3;
inline constexpr int answer_tag = 4;
inline constexpr int put_data_tag = 5;  ///< of each pair in the order of the records
inline constexpr int got_data_tag = 6;

/// Of a message of records.
inline constexpr std::size_t record_message_bytes = 16384;
/// What is larger travels by itself, or in several records.
inline constexpr std::size_t largest_inline = 8192;
/// What travels by itself goes in parts that MPI sends without asking the receiver first: that
/// would wait behind what the receiver itself sends.
inline constexpr std::size_t largest_part = std::size_t{60} << 10;

enum class request_kind : std::uint8_t {
  put,        ///< the bytes follow
  large_put,  ///< they come by themselves
  get,        ///< an answer brings the bytes
  large_get,  ///< they come by themselves
  update,
  fence,  ///< what is under way by itself is stored first
  flush   ///< likewise, and an answer says so
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
  std::uint64_t number;  ///< that the answer says again
};
/// Of a get, or a flush, whose number says why.
struct numbered_request {
  request head;
  std::uint64_t number;  ///< that the answer says again
};

/// Why a PE asks whether what it has begun is complete.
enum class flush_is : std::uint64_t { for_room, awaited };

struct answer {
  std::uint64_t number;
  std::uint32_t bytes;  ///< that follow
  bool is_flush;
};

}  // namespace atl::transport::far
