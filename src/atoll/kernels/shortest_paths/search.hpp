#pragma once
// Delta-stepping over all PEs (Meyer and Sanders, 2003). Successive buckets with little work are
// fused: between such buckets, a PE does not wait for other PEs (Zhang and others, 2020).
//
// Each PE owns the distances of its vertices, and expands these vertices. To expand a vertex means
// to follow its arcs and to lower the distances of their targets. If a PE can address the memory of
// a target's owner, the PE lowers the distance directly. After lowering the distance, the PE sends
// the owner a message, and the owner puts the target into a bucket. If the PE cannot address the
// owner's memory, the owner lowers the distance when the message arrives.
//
// A round begins with the lowest bucket of all PEs. A PE expands its vertices of the lowest bucket.
// After the lowest bucket, the PE continues with later buckets until the PE has done a certain
// amount of work (`k_work_of_round`). If the distance of an expanded vertex is lowered afterwards,
// the vertex is expanded again.

#include "atoll/collectives.hpp"
#include "atoll/delegates.hpp"
#include "atoll/kernels/shortest_paths/buckets.hpp"
#include "atoll/kernels/shortest_paths/distances.hpp"
#include "atoll/kernels/shortest_paths/weights.hpp"
#include "atoll/work.hpp"

#include <functional>

namespace atl::kernels::shortest_paths {

/// Amount of work of a PE in a round, in arcs and vertices, after which the PE begins no later
/// bucket. Work of the amount `k_work_of_round` takes about as long as the wait at the end of a
/// round.
inline constexpr std::uint64_t k_work_of_round = std::uint64_t{1} << 13;

/// Number of arcs that are followed before other tasks run and before the space for messages is
/// checked.
inline constexpr std::uint64_t k_arcs_at_once = 4096;

/// One PE's part of a search.
template <class Id>
struct search_part {
  bucket_queue<Id> queue;
  huge_vector<Id> parents;     ///< indexed by row
  huge_vector<Id> candidates;  ///< for each row: the parent that the current step has found
  std::vector<Id> with_candidates;
  std::uint64_t arcs_looked_at = 0;
  /// Number of expansions: a vertex is counted each time it is expanded.
  std::uint64_t expanded = 0;
  /// A function that is called with an estimate of the fraction of all vertices that was expanded.
  /// The function may be empty.
  std::function<void(double)> progress;
};

/// The data of searches of a graph on every PE.
template <class Id>
struct workspace {
  distributed_graph<Id> graph;
  per_pe<search_part<Id>> parts;
  symmetric_array<double> distances;

  /// Makes a workspace. One task calls this function and waits.
  static task<workspace> make(distributed_graph<Id> graph, std::uint64_t most_vertices_of_a_pe) {
    workspace made;
    made.graph = graph;
    made.parts = co_await per_pe<search_part<Id>>::make();
    made.distances =
        co_await make_symmetric_array<double>(std::max<std::uint64_t>(1, most_vertices_of_a_pe));
    co_return made;
  }

  task<> destroy() const {
    const workspace self = *this;
    co_await self.parts.destroy();
    co_await self.distances.destroy();
  }
};

/// One search on one PE.
template <class Id, class Weights>
class search {
 public:
  explicit search(workspace<Id> on)
      : on_(on),
        graph_(on.graph.local()),
        mine_(on.parts.local()),
        reached_(on.distances, graph_.shape),
        own_(on.distances.local().data()) {}

  /// Finds all distances from `root`. Returns the number of rounds. Every PE calls this function.
  task<std::uint64_t> all_search(std::uint64_t root, double width) {
    co_await all_start(root, width);
    std::uint64_t rounds = 0;
    while (true) {
      const std::uint64_t lowest =
          co_await all_reduce(mine_.queue.lowest(), [](auto a, auto b) { return std::min(a, b); });
      if (lowest == k_no_bucket) co_return rounds;
      ++rounds;
      mine_.queue.begin_at(lowest);
      const auto expand_all = [&]() -> task<> { co_await expand_from(lowest); };
      co_await finish(expand_all);
      co_await all_barrier();  // all messages of other PEs have arrived
    }
  }

 private:
  task<> all_start(std::uint64_t root, double width) {
    mine_.queue.start(width);
    mine_.arcs_looked_at = mine_.expanded = 0;
    std::fill(own_, own_ + graph_.vertices, k_infinite);
    co_await all_barrier();  // no PE lowers distances before all PEs are ready
    if (graph_.shape.owner(root) != my_pe()) co_return;
    const auto row = static_cast<Id>(root - graph_.first_vertex);
    own_[row] = 0;
    mine_.queue.add(row, 0);
  }

  /// Expands the vertices of bucket `level`, and then of later buckets until the amount of work
  /// reaches `k_work_of_round`.
  task<> expand_from(std::uint64_t level) {
    std::uint64_t work = 0;
    while (true) {
      const std::uint64_t bucket = mine_.queue.lowest();
      const bool is_later = bucket != level;
      if (!mine_.queue.is_near(bucket) || (is_later && work >= k_work_of_round)) break;
      mine_.queue.take(bucket, taken_);
      std::size_t done = 0;
      while (done < taken_.size() && !(is_later && work >= k_work_of_round)) {
        work += co_await expand_some(done);
      }
      if (done < taken_.size()) mine_.queue.give_back(bucket, std::span(taken_).subspan(done));
    }
    if (mine_.progress)
      mine_.progress(std::min(1.0, static_cast<double>(mine_.expanded * pes()) /
                                       static_cast<double>(graph_.shape.vertices)));
  }

  /// Expands rows of `taken_` from index `done` on, and advances `done`. Returns the amount of
  /// work, in arcs and vertices. Other tasks run afterwards.
  task<std::uint64_t> expand_some(std::size_t& done) {
    std::uint64_t arcs = 0, vertices = 0;
    while (done < taken_.size() && arcs + vertices < k_arcs_at_once && has_room()) {
      const waiting_row<Id> one = taken_[done++];
      if (distance_at(own_[one.row]) != one.distance) continue;  // the entry is outdated
      ++vertices;
      const std::uint64_t degree = graph_.row(one.row).size();
      for (std::uint64_t begin = 0; begin < degree; begin += k_arcs_at_once) {
        if (begin != 0 && !has_room()) co_await room();
        follow(one, begin, std::min(degree, begin + k_arcs_at_once));
      }
      arcs += degree;
    }
    mine_.arcs_looked_at += arcs;
    mine_.expanded += vertices;
    charge(work::edge_scanned, arcs);
    charge(work::vertex_visited, vertices);
    co_await room();
    co_await yield();
    co_return arcs + vertices;
  }

  /// Follows the arcs with the indexes from `begin` to `end` - 1 of a vertex.
  void follow(const waiting_row<Id>& from, std::uint64_t begin, std::uint64_t end) {
    const auto targets = graph_.row(from.row);
    const Weights weights(graph_, from.row);
    for (std::uint64_t i = begin; i < end; ++i) {
      const double distance = from.distance + weights[i];
      reached_.find(targets[i]);
      if (reached_.reaches_owner() && !lower(reached_.of(targets[i]), distance)) continue;
      tell(static_cast<Id>(reached_.row_of(targets[i])), distance);
    }
  }

  /// Tells the owner of a row that the vertex of the row has got a new distance. The owner is the
  /// PE that `reached_` found last. If this PE can address the owner's memory, the caller has
  /// already lowered the distance there, and the owner only queues the row. If this PE cannot
  /// address the owner's memory, the owner compares the distances. If the new distance is smaller,
  /// the owner lowers the distance and queues the row.
  void tell(Id row, double distance) {
    if (reached_.owner() == my_pe_) {
      mine_.queue.add(row, distance);
    } else if (reached_.reaches_owner()) {
      async_call(reached_.owner(),
                 [parts = on_.parts, row, distance] { parts->queue.add(row, distance); });
    } else {
      async_call(reached_.owner(), [on = on_, row, distance] {
        if (lower(on.distances.local()[row], distance)) on.parts->queue.add(row, distance);
      });
    }
  }

  workspace<Id> on_;
  const graph_part<Id>& graph_;
  search_part<Id>& mine_;
  reached_distances reached_;
  double* own_;
  int my_pe_ = my_pe();
  typename bucket_queue<Id>::list taken_;
};

}  // namespace atl::kernels::shortest_paths
