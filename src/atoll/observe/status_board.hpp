#pragma once
// The status board shows PEs of a running job to `atoll top`. It has a copy of their counters in
// shared memory, at most a tenth of a second old. A PE writes its part when its scheduler has read
// the clock anyway. The version is odd during a write, so that a reader notices it and reads again.

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
  std::atomic<std::uint64_t> version;    ///< odd during a write; 0 before the first one
  std::atomic<std::int64_t> time;        ///< time of the copy
  std::atomic<std::int64_t> idle_since;  ///< 0: the PE is not idle
  std::atomic<std::uint64_t> process;
  std::atomic<std::uint64_t> ready_tasks;
  std::atomic<std::uint64_t> active_tasks;
  std::atomic<std::uint64_t> counted[k_counters];
};

struct alignas(64) board_header {
  std::atomic<std::uint64_t> layout;  ///< k_board_layout of the writer
  std::atomic<std::uint64_t> pes;
  std::atomic<std::uint64_t> time_is_virtual;
  std::atomic<std::uint64_t> ended;
};

/// Returns a hash of the names of all counters. It differs if a reader would not understand the
/// board.
std::uint64_t board_layout();

/// The board of a job, made by PE 0 before the PEs are started, and destroyed by PE 0 alone.
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

/// Writes the status of a PE. Used by its own PE only; without a board nothing is ever due.
class status_writer {
 public:
  status_writer() = default;
  explicit status_writer(board_slot& slot);

  bool is_due(std::int64_t now) const { return now >= next_; }

  /// Returns whether to write before the PE waits, because the status may then remain for long.
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
