#pragma once
// Idle PEs get work by lifelines, which are fixed partner PEs (Saraswat and others, "Lifeline-based
// global load balancing", 2011).
//
// An idle PE asks a few random PEs for half of their stealable tasks. If the asked PEs have no
// tasks, the idle PE waits until one of its lifelines sends tasks. The lifelines of a PE are the
// PEs whose ranks are larger by a power of two, modulo the number of PEs. Each PE stores which idle
// PEs wait for its tasks. As soon as a PE has tasks, it sends half of them to an idle PE that waits
// for its tasks. While all PEs are busy, stealing sends no messages. An idle PE sleeps instead of
// asking again and again. At the start of the job, every PE counts as waiting on its lifelines
// without having sent a message.
//
// Stolen tasks are sent as tracked messages of their scope. A task that waits for a scope therefore
// also waits for stolen tasks of the scope, wherever the stolen tasks run. Requests for tasks, and
// the answers, are control messages, which belong to no scope.

#include "atoll/base/charged.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/message/activity.hpp"
#include "atoll/random.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace atl::tasks {

// The next classes hold the stealable tasks of one PE that have not begun.

struct stealable;

/// Operations on a stealable task. The functions know the type of the task's closure, but their
/// callers do not.
struct stealable_kind {
  /// Runs the task on this PE until its first suspension.
  void (*start)(stealable&);
  /// Sends the task to another PE, where the task counts in the same scope. If `ship` throws, the
  /// task is unchanged.
  void (*ship)(stealable&, int destination);
};

/// A task that any PE may run, in one cache line. A closure that is too large is stored in an
/// allocation of its own.
struct alignas(64) stealable {
  static constexpr std::size_t capacity = 40;

  const stealable_kind* kind = nullptr;
  message::activity* scope = nullptr;
  site spawned_at;
  alignas(8) std::byte closure[capacity];
};

/// A growing double-ended queue of stealable tasks. The owning PE adds and takes tasks at the new
/// end. Tasks for other PEs are taken from the old end. Only the owning PE calls the functions.
class stealable_deque {
 public:
  explicit stealable_deque(memory_account& account) : ring_(k_first_places, account) {}

  bool empty() const { return oldest_ == newest_; }
  std::uint64_t size() const { return newest_ - oldest_; }

  /// Returns the place behind the newest task. The caller must store a task in the returned place
  /// before calling `push`. The reference is valid until the next call of a member function. Throws
  /// atl::error (out_of_memory).
  stealable& next_place() {
    if (size() > mask_) [[unlikely]]
      grow();
    return ring_[newest_ & mask_];
  }

  /// Adds the task stored in the next place as the newest task.
  void push() { ++newest_; }

  /// Calls `visit(const stealable&)` for each task, oldest first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t i = oldest_; i != newest_; ++i) visit(ring_[i & mask_]);
  }

  // The deque must not be empty when one of the next functions is called.
  stealable take_newest() { return ring_[--newest_ & mask_]; }
  stealable& oldest() { return ring_[oldest_ & mask_]; }
  void drop_oldest() { ++oldest_; }

 private:
  static constexpr std::size_t k_first_places = 64;

  [[gnu::noinline, gnu::cold]] void grow() {
    charged_vector<stealable> larger(2 * ring_.size(), ring_.get_allocator());
    for (std::uint64_t i = oldest_; i != newest_; ++i) larger[i - oldest_] = ring_[i & mask_];
    newest_ -= oldest_;
    oldest_ = 0;
    ring_ = std::move(larger);
    mask_ = ring_.size() - 1;
  }

  charged_vector<stealable> ring_;
  std::uint64_t mask_ = k_first_places - 1;
  std::uint64_t oldest_ = 0;
  std::uint64_t newest_ = 0;
};

/// The work stealing of one PE. Only the PE that owns the object calls its functions.
class stealing {
 public:
  stealing(pe& self, std::uint64_t seed);

  stealable_deque& tasks() { return tasks_; }
  const stealable_deque& tasks() const { return tasks_; }

  /// Sends some tasks to PEs that wait for tasks. Call this function after adding tasks.
  void share() {
    if (!waiting_.empty()) [[unlikely]]
      serve_waiting();
  }

  /// Asks other PEs for tasks. A PE that has nothing to run calls this function.
  void look_for_work();

 private:
  // The next functions are handlers of messages from other PEs.
  void asked_by(int thief, bool lifeline);
  void answered_by(int victim, bool lifeline, std::uint64_t tasks);

  void add(const stealable& task);
  void ask(int victim, bool lifeline);
  void serve_waiting();
  std::uint64_t ship_oldest(int thief, std::uint64_t tasks);
  bool ship(int thief, bool lifeline, std::uint64_t tasks);
  std::uint64_t half() const;
  int random_victim();

  pe& self_;
  stealable_deque tasks_;
  random_stream random_;
  int tries_left_ = 0;        ///< number of random PEs to ask before waiting on lifelines
  bool asked_ = false;        ///< whether a request to a random PE is unanswered
  std::vector<int> waiting_;  ///< idle PEs that wait for tasks of this PE
  struct lifeline {
    int pe;
    bool waits;  ///< whether this PE waits for tasks of `pe`
  };
  std::vector<lifeline> lifelines_;
};

}  // namespace atl::tasks
