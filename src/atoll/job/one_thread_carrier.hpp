#pragma once
// The watch over simulated PEs from beside them: whether the one thread of all of them is blocked.
// That nothing can happen any more is seen by the simulation itself.

#include "atoll/job/hang_protocol.hpp"

#include <atomic>
#include <string>

namespace atl::job {

class one_thread_carrier final : public hang_carrier {
 public:
  /// Made by the thread of the PEs.
  explicit one_thread_carrier(shm::region& region);

  /// PE `pe` runs from now on. By that thread.
  void runs(int pe) noexcept {
    running_.store(pe, std::memory_order_relaxed);
    turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::optional<std::vector<pe_sample>> samples() override;
  /// The other PEs cannot be asked: the thread that could is blocked.
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
