#pragma once
// Breadth-first search with a global queue (Holt and others, "Flat Combining Synchronized Global
// Data Structures", PGAS 2013). Every found vertex is pushed into the queue, and the PEs pop the
// vertices of the next level. In each level, all PEs first only push, and then only pop. The
// variants of the search (`queue_form`) differ only in how the operations on the queue are
// combined.

#include "atoll/kernels/bfs/run.hpp"
#include "atoll/queue_and_stack.hpp"

#include <deque>
#include <optional>

namespace atl::reproduction::bfs {

using namespace kernels::bfs;

enum class queue_form : std::uint8_t {
  delegates,  ///< no global queue: every operation is a message to PE 0, which executes it
  simple,     ///< a global queue whose operations are not combined
  combining,  ///< a global queue whose operations are combined on each PE
  relaxed     ///< like `combining`, but pushes do not wait
};

/// The queue through which the vertices of a level pass. The object is trivially copyable, so it
/// can be sent to other PEs.
template <class Id>
class frontier_queue {
 public:
  frontier_queue() = default;

  /// Makes the queue on all PEs. One task of the job calls this function.
  static task<frontier_queue> make(queue_form form) {
    frontier_queue made;
    made.form_ = form;
    made.arrived_ = co_await per_pe<std::vector<Id>>::make();
    made.by_hand_ = co_await per_pe<std::deque<Id>>::make();
    const auto mode = form == queue_form::simple ? combining_mode::none : combining_mode::local;
    made.queue_ = co_await global_queue<Id>::make(combining_options(mode));
    co_return made;
  }

  task<> destroy() const {
    co_await queue_.destroy();
    co_await by_hand_.destroy();
    co_await arrived_.destroy();
  }

  /// Returns the combining statistics of all searches. In the variant `delegates`, the statistics
  /// are empty. One task of the job calls this function.
  task<combining_statistics> statistics() const { return queue_.statistics(); }

  /// Pushes the vertices of the newest level of `tree` on this PE. When all PEs have popped,
  /// replaces the newest level of this PE by the popped vertices that this PE owns. Every PE must
  /// call this function, after all messages that mark vertices as reached have arrived.
  task<> all_pass(const partition& shape, search_part<Id>& tree) const {
    const std::uint64_t pushed = tree.newest().size();
    co_await push_newest(tree);
    // After this reduction, the vertices of all PEs are in the queue.
    const std::uint64_t all = co_await all_reduce(pushed, std::plus<>());
    const auto share = ceil_divide(all, static_cast<std::uint64_t>(pes()));
    const auto begin = std::min(all, share * static_cast<std::uint64_t>(my_pe()));
    co_await pop_some(shape, std::min(all, begin + share) - begin);
    co_await all_barrier();  // afterwards, all owners have received the popped vertices
    auto& rows = arrived_.local();
    tree.reached.resize(tree.levels.back());
    tree.reached.insert(tree.reached.end(), rows.begin(), rows.end());
    rows.clear();
  }

 private:
  task<> push_newest(const search_part<Id>& tree) const {
    const auto vertex = [&tree, newest = tree.newest()](std::uint64_t i) {
      return static_cast<Id>(tree.first_vertex + newest[i]);
    };
    const std::uint64_t count = tree.newest().size();
    if (form_ == queue_form::relaxed) {
      const auto push = [&](std::uint64_t i) { queue_.async_push(vertex(i)); };
      co_await local_parallel_for(0, count, push);
    } else if (form_ == queue_form::delegates) {
      const auto push = [&](std::uint64_t i) -> task<> {
        co_await call(0, [all = by_hand_, found = vertex(i)] { all->push_back(found); });
      };
      co_await local_parallel_for(0, count, push);
    } else {
      const auto push = [&](std::uint64_t i) -> task<> { co_await queue_.push(vertex(i)); };
      co_await local_parallel_for(0, count, push);
    }
  }

  /// Pops `count` vertices and sends them to their owners.
  task<> pop_some(const partition& shape, std::uint64_t count) const {
    const auto pop = [&](std::uint64_t) -> task<> {
      std::optional<Id> vertex;
      if (form_ == queue_form::delegates)
        vertex = co_await pop_by_hand();
      else
        vertex = co_await queue_.pop();
      if (vertex) hand_over(shape, *vertex);
    };
    co_await local_parallel_for(0, count, pop);
  }

  auto pop_by_hand() const {
    return call(0, [all = by_hand_]() -> std::optional<Id> {
      if (all->empty()) return std::nullopt;
      const Id oldest = all->front();
      all->pop_front();
      return oldest;
    });
  }

  void hand_over(const partition& shape, Id vertex) const {
    const int owner = shape.owner(vertex);
    const auto row = static_cast<Id>(vertex - shape.begin(owner));
    if (owner == my_pe())
      arrived_->push_back(row);
    else
      async_call(owner, [all = arrived_, row] { all->push_back(row); });
  }

  queue_form form_ = queue_form::combining;
  global_queue<Id> queue_;
  per_pe<std::deque<Id>> by_hand_;
  /// rows (local indices) of this PE's vertices that any PE has popped
  per_pe<std::vector<Id>> arrived_;
};

}  // namespace atl::reproduction::bfs

// The templates are compiled once for vertex numbers of 32 bits and of 64 bits, in queue.cpp.
#define ATOLL_BFS_RUN_THROUGH_QUEUE(kind, Id)                                                      \
  kind template task<search_outcome> all_run(workspace<Id>, std::uint64_t, bool,                   \
                                             reproduction::bfs::frontier_queue<Id>);
namespace atl::kernels::bfs {

ATOLL_BFS_RUN_THROUGH_QUEUE(extern, std::uint32_t)
ATOLL_BFS_RUN_THROUGH_QUEUE(extern, std::uint64_t)

}  // namespace atl::kernels::bfs
