#pragma once
// What the PEs of a running job show to `atoll top`: a copy of their counters in shared memory,
// fresh every tenth of a second. A PE writes its part when its scheduler has read the clock anyway;
// a number that is odd while it does so lets a reader see that it must look again.

#include "atoll/observe/counters.hpp"
#include "atoll/observe/shared_memory.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace atl::observe {

inline constexpr std::size_t k_counters = sizeof(counters) / sizeof(counter);
inline constexpr const char* k_board_name = "atoll-status";

/// The part of one PE. Times are the PE's, in ns.
struct alignas(64) board_slot {
  std::atomic<std::uint64_t> version;    ///< odd while it is written; 0 before the first time
  std::atomic<std::int64_t> time;        ///< of the copy
  std::atomic<std::int64_t> idle_since;  ///< 0: it is not idle
  std::atomic<std::uint64_t> process;
  std::atomic<std::uint64_t> ready_tasks;
  std::atomic<std::uint64_t> active_tasks;
  std::atomic<std::uint64_t> counted[k_counters];
};

struct alignas(64) board_header {
  std::atomic<std::uint64_t> layout;  ///< k_board_layout of its writer
  std::atomic<std::uint64_t> pes;
  std::atomic<std::uint64_t> time_is_virtual;
  std::atomic<std::uint64_t> ended;
};

/// Differs where a reader would not understand the board: it follows from the names of all
/// counters.
std::uint64_t board_layout();

/// Made before the PEs are started, by PE 0, which alone destroys it.
class status_board {
 public:
  /// Throws atl::error (environment).
  status_board(int pes, bool time_is_virtual);
  ~status_board();

  board_slot& slot(int pe) const;

 private:
  board_header& header() const { return *reinterpret_cast<board_header*>(memory_.data()); }

  shared_memory memory_;
};

/// A PE's pen. Its own PE only; where there is no board, nothing is ever due.
class status_writer {
 public:
  status_writer() = default;
  explicit status_writer(board_slot& slot);

  bool is_due(std::int64_t now) const { return now >= next_; }

  /// Before the PE waits: what it shows may stand for long.
  bool is_due_before_wait(std::int64_t now) const { return now >= next_before_wait_; }

  void write(std::int64_t now, std::uint64_t ready_tasks, std::uint64_t active_tasks,
             const counters& counted);

  void idle_since(std::int64_t time) {
    if (slot_ != nullptr) slot_->idle_since.store(time, std::memory_order_relaxed);
  }

 private:
  board_slot* slot_ = nullptr;
  std::int64_t next_ = INT64_MAX;
  std::int64_t next_before_wait_ = INT64_MAX;
};

}  // namespace atl::observe
