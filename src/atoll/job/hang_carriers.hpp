#pragma once
// Carriers of questions of the hang watch to PEs of this machine. One uses memory shared by all
// PEs, the other runs beside the one thread of simulated PEs.

#include "atoll/job/hang_watch.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace atl::job {

/// Carries questions and answers through memory shared by all PEs. Used by one thread beside PE 0.
class shared_carrier final : public hang_carrier {
 public:
  /// `stopping` ends a wait for answers early.
  shared_carrier(shm::region& region, const std::atomic<bool>& stopping);

  std::optional<std::vector<pe_sample>> samples() override;
  std::string who_waits() override;

  /// Asks twice. A PE that answers and then waits again has looked, after the question, at its
  /// messages and at the memory it watches. No flag tells others of that memory. If no PE makes
  /// progress from before the first look to after the second, all were idle when the second
  /// question was asked. Each has then looked for everything that was sent or stored before.
  bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) override;

  /// Returns a line of the report: why PE `name`, which has place `pe` in the region, does not
  /// answer.
  std::string why_silent(int pe, int name);

 private:
  pe_sample sample(int pe);  // without the state of its thread
  void ask_kernel(std::vector<pe_sample>& all);
  thread_state thread_of(int pe);
  bool has_own_process(int pe);
  bool has_left(int pe);
  bool has_answered(int pe, std::uint32_t question);
  void wait_for_answers(std::uint32_t question);
  enum class stance : std::uint8_t { at_rest, undecided, goes_on };
  stance stance_of(int pe, std::uint32_t question, const pe_sample& seen);
  stance stance_in_kernel(int pe, seeming kind);  // of a PE that does not answer
  bool all_rest(const std::vector<pe_sample>& seen, seeming kind);

  shm::region& region_;
  const std::atomic<bool>& stopping_;
  const std::uint64_t namespace_;             // process namespace of this process
  std::vector<std::uint64_t> progress_seen_;  // by PE
};

/// Watches the one thread of all simulated PEs from another thread, for being blocked. The
/// simulation itself notices when nothing can happen any more.
class one_thread_carrier final : public hang_carrier {
 public:
  /// Must be called by the thread of the PEs.
  explicit one_thread_carrier(shm::region& region);

  /// Notes that PE `pe` runs from now on. Called by that thread.
  void runs(int pe) noexcept {
    running_.store(pe, std::memory_order_relaxed);
    turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::optional<std::vector<pe_sample>> samples() override;
  /// Reports the running PE only. The others cannot be asked, because the thread that would ask is
  /// blocked.
  std::string who_waits() override;
  bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) override;

 private:
  thread_state thread() const;

  shm::region& region_;
  const pid_t process_;
  const pid_t thread_;
  std::atomic<int> running_{0};
  std::atomic<std::uint64_t> turns_{0};
};

}  // namespace atl::job
