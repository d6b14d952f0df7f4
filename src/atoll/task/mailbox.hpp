#pragma once
// A mailbox passes requests from other threads of the process to a PE, and wakes the PE.

#include "atoll/transport/transport.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace atl::tasks {

class mailbox {
 public:
  using request = std::function<void()>;

  explicit mailbox(transport::endpoint& wire) : wire_(wire) {}

  /// Posts the function `asked`, which the PE will soon call outside of tasks. Returns false if the
  /// job of the PE has ended. Any thread may call this function.
  bool post(request asked) {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return false;
    waiting_.push_back(std::move(asked));
    has_mail_.store(true, std::memory_order_relaxed);
    wire_.wake();
    return true;
  }

  /// Announces a thread that can post requests; the announcement ends when the thread calls
  /// `leave`. While a thread may still post requests, an idle job does not count as hanging. The PE
  /// calls `enter`, and any thread may call `leave`.
  void enter() { senders_.fetch_add(1, std::memory_order_relaxed); }
  void leave() {
    const std::lock_guard lock(mutex_);
    senders_.fetch_sub(1, std::memory_order_relaxed);
    if (!is_closed_) wire_.wake();
  }

  // Only the PE calls the next functions.
  bool has_mail() const { return has_mail_.load(std::memory_order_relaxed); }
  bool has_senders() const { return senders_.load(std::memory_order_relaxed) != 0; }
  std::vector<request> take() {
    const std::lock_guard lock(mutex_);
    has_mail_.store(false, std::memory_order_relaxed);
    return std::exchange(waiting_, {});
  }
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    waiting_.clear();
  }

 private:
  transport::endpoint& wire_;
  std::mutex mutex_;
  std::vector<request> waiting_;
  bool is_closed_ = false;
  std::atomic<bool> has_mail_{false};
  std::atomic<int> senders_{0};
};

}  // namespace atl::tasks
