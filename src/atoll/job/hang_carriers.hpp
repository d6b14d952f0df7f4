#pragma once
// This file has two implementations of `hang_carrier`, the interface by which the hang watch asks
// the PEs of this machine. `shared_carrier` uses the shared memory of the PEs. `one_thread_carrier`
// is for simulated PEs, which all run on one thread. For simulated PEs, the hang watch runs on a
// second thread.

#include "atoll/job/hang_watch.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace atl::job {

/// Asks PEs for their state through memory that all PEs share. Only one thread may use the object.
class shared_carrier final : public hang_carrier {
 public:
  /// `region` is the shared memory of the job. When `stopping` becomes true, a wait for answers
  /// ends early.
  shared_carrier(shm::region& region, const std::atomic<bool>& stopping);

  std::optional<std::vector<pe_sample>> samples() override;
  std::string who_waits() override;

  /// Sends all PEs two questions, one after the other. A PE that answers a question and then waits
  /// again has polled its messages and the memory locations that it watches. The questions are
  /// necessary, because no other PE knows the memory locations that a PE watches. If no PE has made
  /// progress before its second answer, all PEs were idle when the second question was asked.
  /// A PE that answers the second question and then waits again has polled everything that other
  /// PEs sent or stored before that question. If all PEs have done so, nothing can wake a PE.
  bool hangs_for_certain(const std::vector<pe_sample>& seen, seeming kind) override;

  /// Returns a line of the hang report that says why a PE does not answer. `name` is the number of
  /// the PE in the job, and `pe` is its position in the region.
  std::string why_silent(int pe, int name);

 private:
  pe_sample sample(int pe);  // leaves the state of the PE's thread unset
  void ask_kernel(std::vector<pe_sample>& all);
  thread_state thread_of(int pe);
  bool has_own_process(int pe);
  bool has_left(int pe);
  bool has_answered(int pe, std::uint32_t question);
  void wait_for_answers(std::uint32_t question);
  enum class stance : std::uint8_t { at_rest, undecided, goes_on };
  stance stance_of(int pe, std::uint32_t question, const pe_sample& seen);
  /// If PE `pe` does not answer, decides from the state of its thread in the kernel whether the PE
  /// is at rest.
  stance stance_in_kernel(int pe, seeming kind);
  bool all_rest(const std::vector<pe_sample>& seen, seeming kind);

  shm::region& region_;
  const std::atomic<bool>& stopping_;
  const std::uint64_t namespace_;             // identifies the PID namespace of this process
  std::vector<std::uint64_t> progress_seen_;  // progress of each PE at the last call of `samples`
};

/// Lets another thread check whether the one thread of all simulated PEs is blocked in a system
/// call. The simulation itself detects when all PEs wait forever.
class one_thread_carrier final : public hang_carrier {
 public:
  /// The thread that runs the simulated PEs must call the constructor.
  explicit one_thread_carrier(shm::region& region);

  /// Records that the thread now runs the simulated PE `pe`. Only the thread of the simulated PEs
  /// may call this function.
  void runs(int pe) noexcept {
    running_.store(pe, std::memory_order_relaxed);
    turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::optional<std::vector<pe_sample>> samples() override;
  /// The report contains only the running PE. Other PEs cannot answer, because their thread is
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
