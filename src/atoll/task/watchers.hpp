#pragma once
// Tasks that wait for a condition of memory that changes without a message: the scheduler looks in
// each round, and the transport while the PE waits.

#include "atoll/task/frame.hpp"
#include "atoll/transport/transport.hpp"

#include <vector>

namespace atl::tasks {

/// One of them, kept by what the task awaits.
struct watcher {
  bool (*holds)(const watcher&) noexcept;
  frame* suspended = nullptr;

  explicit watcher(bool (*condition)(const watcher&) noexcept) : holds(condition) {}
};

/// One alone.
class single_watch final : public transport::memory_watch {
 public:
  explicit single_watch(const watcher& one) : one_(one) {}
  bool has_changed() noexcept override { return one_.holds(one_); }

 private:
  const watcher& one_;
};

class watchers final : public transport::memory_watch {
 public:
  bool empty() const noexcept { return waiting_.empty(); }
  void add(watcher& one) { waiting_.push_back(&one); }

  bool has_changed() noexcept override {
    for (const watcher* one : waiting_)
      if (one->holds(*one)) return true;
    return false;
  }

  /// Calls `ready(frame)` for each whose condition holds, in the order in which they came, and
  /// forgets it.
  template <class Ready>
  void take(Ready ready) {
    std::erase_if(waiting_, [&](const watcher* one) {
      if (!one->holds(*one)) return false;
      ready(*one->suspended);
      return true;
    });
  }

 private:
  std::vector<watcher*> waiting_;
};

}  // namespace atl::tasks
