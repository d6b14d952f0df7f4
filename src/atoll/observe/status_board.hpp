#pragma once
// The status board is shared memory through which `atoll top` observes a running job. The board has
// one slot per PE. A busy PE copies its counters to its slot ten times a second. A PE writes its
// slot when its scheduler has already read the clock, so the board costs no extra reading of the
// clock. A slot has a version number that is odd during a write. A reader reads the slot again if
// the version is odd or has changed during the reading.

#include "atoll/observe/counters.hpp"
#include "atoll/observe/shared_memory.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace atl::observe {

inline constexpr std::size_t k_counters = sizeof(counters) / sizeof(counter);
inline constexpr const char* k_board_name = "atoll-status";

/// The slot of one PE on the board. Times are in ns of the PE's clock.
struct alignas(64) board_slot {
  std::atomic<std::uint64_t> version;    ///< odd during a write; 0 before the first write
  std::atomic<std::int64_t> time;        ///< time at which the PE wrote the slot
  std::atomic<std::int64_t> idle_since;  ///< time at which the PE became idle; 0 if it is not idle
  std::atomic<std::uint64_t> process;
  std::atomic<std::uint64_t> ready_tasks;
  std::atomic<std::uint64_t> active_tasks;
  std::atomic<std::uint64_t> counted[k_counters];
};

struct alignas(64) board_header {
  std::atomic<std::uint64_t> layout;  ///< `board_layout()` in the process that made the board
  std::atomic<std::uint64_t> pes;
  std::atomic<std::uint64_t> time_is_virtual;
  std::atomic<std::uint64_t> ended;
};

/// Returns a hash of the names of all counters and the size of a slot. A reader compares the hash
/// with the hash in the board's header, because another version of Atoll may use another layout.
std::uint64_t board_layout();

/// The board of a job. PE 0 makes the board before other PEs are started, and only PE 0 destroys
/// it.
class status_board {
 public:
  /// Makes a board for `pes` PEs. Throws atl::error (environment) if the kernel refuses the memory.
  status_board(int pes, bool time_is_virtual);
  ~status_board();

  board_slot& slot(int pe) const;

 private:
  board_header& header() const { return *reinterpret_cast<board_header*>(memory_.data()); }

  shared_memory memory_;
};

/// Writes the slot of a PE on the board. Only the PE that owns the slot may use the object. A
/// default-constructed writer has no board, and its functions `is_due` and `is_due_before_wait`
/// always return false.
class status_writer {
 public:
  status_writer() = default;
  explicit status_writer(board_slot& slot);

  bool is_due(std::int64_t now) const { return now >= next_; }

  /// Returns whether the PE should write its slot before it waits, because the slot is older than 1
  /// ms. If a PE did not write its slot before a long wait, `atoll top` would show an old slot.
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
