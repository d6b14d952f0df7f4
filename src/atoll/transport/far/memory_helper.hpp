#pragma once
// The thread beside a PE that executes one-sided access to its memory while it computes, and asks
// for further parts of what it gets. It does nothing while the PE looks itself, looks seldom while
// nobody asks, and often once somebody has asked for something short.

#include "atoll/transport/far/far_memory.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace atl::transport::far {

class memory_helper {
 public:
  /// What the helper calls; all must outlive it.
  struct hooks {
    std::function<bool()> has_ended;  ///< the job: what its PE gets into may be gone then
    std::function<void()> served;     ///< something short was executed, or large data has moved
    std::function<void()> failed;     ///< there is no memory to go on
  };
  memory_helper(far_memory& memory, hooks calls);
  ~memory_helper();
  memory_helper(const memory_helper&) = delete;
  memory_helper& operator=(const memory_helper&) = delete;

  /// The PE looks by itself. By the PE.
  void pe_looks() noexcept {
    looks_.store(looks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  void run();
  void serve();
  void nap(std::chrono::nanoseconds time);

  far_memory& memory_;
  const hooks calls_;
  std::atomic<std::uint64_t> looks_{0};
  std::mutex mutex_;
  std::condition_variable stops_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace atl::transport::far
