#pragma once
// How PEs without work get some: lifelines (Saraswat and others, "Lifeline-based global load
// balancing", 2011).
//
// An idle PE asks a few others, drawn at random, for half of their stealable tasks. Where that
// fails it waits on its lifelines, the PEs at distances that are powers of two: they remember it
// and send it half of their tasks as soon as they have some. So no message is sent while nobody is
// idle, and an idle PE sleeps. At the start every PE waits on its lifelines, without a message.
//
// All it sends is control traffic but for the tasks: they are tracked messages of their scope, so
// whoever waits for the scope waits for them wherever they run.

#include "atoll/base/pe.hpp"
#include "atoll/random.hpp"
#include "atoll/task/deque.hpp"

#include <cstdint>
#include <vector>

namespace atl::tasks {

/// Called by its own PE only.
class stealing {
 public:
  stealing(pe& self, std::uint64_t seed);

  stealable_deque& tasks() { return tasks_; }
  const stealable_deque& tasks() const { return tasks_; }

  /// Sends some of the tasks to PEs that wait for them. Called when tasks were added.
  void share() {
    if (!waiting_.empty()) [[unlikely]]
      serve_waiting();
  }

  /// Asks other PEs for tasks. Called by a PE that has nothing to run.
  void look_for_work();

 private:
  // What travels between PEs; handlers.
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
  int tries_left_ = 0;        ///< random victims still to be asked before the lifelines are used
  bool asked_ = false;        ///< a random victim has not answered yet
  std::vector<int> waiting_;  ///< PEs that have this PE as a lifeline
  struct lifeline {
    int pe;
    bool waits;  ///< this PE waits on that lifeline
  };
  std::vector<lifeline> lifelines_;
};

}  // namespace atl::tasks
