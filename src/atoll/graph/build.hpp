#pragma once
// Builds a distributed graph from edges. Every PE has a part of the edges, and counts the arcs that
// each vertex gets from this part. The PEs then agree on a partition of the vertices. Each arc is
// sent to the owner of its source, and the owner turns the arcs that it received into rows.

#include "atoll/collectives.hpp"
#include "atoll/graph/arc_weights.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/row_bins.hpp"
#include "atoll/graph/stretches.hpp"
#include "atoll/graph_files.hpp"

#include <bit>
#include <unordered_map>

namespace atl {

/// The edges of one PE. There are `size()` edges, and `operator()(i)` returns edge i. The builder
/// may call the operator several times for the same edge. If the class has a member function
/// `used_until(i)`, the builder calls this function as soon as it needs no edge before i.
template <class Edges>
concept edge_source = requires(const Edges& edges) {
  { edges.size() } -> std::convertible_to<std::uint64_t>;
  { edges(std::uint64_t{0}) } -> std::convertible_to<edge>;
};

namespace graph {

struct arc {
  std::uint64_t source;
  std::uint64_t target;
};

/// Calls `visit(arc)` for each arc that the edge becomes.
template <class Visit>
void for_each_arc(edge e, orientation arcs_are, Visit visit) {
  if (arcs_are != orientation::in) visit(arc{e.from, e.to});
  if (arcs_are != orientation::out) visit(arc{e.to, e.from});
}

template <edge_source Edges, class Visit>
task<> for_each_arc(const Edges& edges, orientation arcs_are, Visit visit) {
  const auto some = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) for_each_arc(edges(i), arcs_are, visit);
  };
  co_await in_stretches(0, edges.size(), some);
}

inline constexpr auto k_sum = [](auto a, auto b) { return a + b; };

/// Returns the sorted list of the vertices with at least `threshold` arcs. Every PE gets the same
/// list. `here` has the candidates of this PE. For each candidate, `here` has the number of arcs
/// that this PE's edges add to the candidate. A vertex above the threshold is a candidate on at
/// least one PE, because some PE has at least the average share of the vertex's arcs.
task<std::vector<std::uint64_t>>
all_vertices_above(std::uint64_t threshold,
                   const std::unordered_map<std::uint64_t, std::uint64_t>& here);

/// How the arcs of all PEs are distributed, and the number of arcs that this PE will receive.
struct arc_plan {
  partition shape;
  std::uint64_t arcs_here = 0;
};

/// Returns how many of the counted arcs belong to the vertices of this PE.
inline std::uint64_t arcs_here(const partition& shape, const vertex_buckets& buckets,
                               std::span<const std::uint64_t> arcs_in_bucket) {
  std::uint64_t arcs = 0;
  for (std::uint64_t b = 0; b < buckets.count(); ++b) {
    const std::uint64_t first = buckets.first_vertex(b);
    if (first >= shape.begin(my_pe()) && first < shape.end(my_pe())) arcs += arcs_in_bucket[b];
  }
  return arcs;
}

/// Returns the vertices with at least `threshold` arcs. `counts` has the numbers of arcs in each
/// bucket, summed over all PEs. Every PE calls this function.
template <edge_source Edges>
task<std::vector<std::uint64_t>>
all_find_hubs(const Edges& edges, orientation arcs_are, const vertex_buckets& buckets,
              const std::vector<std::uint64_t>& counts, std::uint64_t threshold) {
  const auto is_full = [&](std::uint64_t arcs) { return arcs >= threshold; };
  if (pes() == 1 || std::ranges::none_of(counts, is_full)) co_return std::vector<std::uint64_t>();
  std::unordered_map<std::uint64_t, std::uint64_t> in_full_buckets;
  const auto count = [&](arc a) {
    if (is_full(counts[buckets.of(a.source)])) ++in_full_buckets[a.source];
  };
  co_await for_each_arc(edges, arcs_are, count);
  co_return co_await all_vertices_above(threshold, in_full_buckets);
}

/// Plans how the arcs of the edges of all PEs are distributed. Every PE calls this function.
template <edge_source Edges>
task<arc_plan> all_plan(const Edges& edges, std::uint64_t vertices, orientation arcs_are,
                        hub_rows hubs) {
  const vertex_buckets buckets(vertices);
  std::vector<std::uint64_t> counts(buckets.count());
  const auto count = [&](arc a) { ++counts[buckets.of(a.source)]; };
  co_await for_each_arc(edges, arcs_are, count);
  counts = co_await all_reduce(std::move(counts), k_sum);
  std::uint64_t arcs = 0;
  for (const auto in_bucket : counts) arcs += in_bucket;

  arc_plan plan;
  partition& shape = plan.shape;
  shape.vertices = vertices;
  const std::uint64_t threshold = hub_threshold(arcs, pes());
  if (hubs == hub_rows::split)
    shape.hubs = co_await all_find_hubs(edges, arcs_are, buckets, counts, threshold);
  if (!shape.hubs.empty()) {
    std::ranges::fill(counts, 0);
    const auto count_where_kept = [&](arc a) {
      ++counts[buckets.of(shape.hub_number(a.source) ? a.target : a.source)];
    };
    co_await for_each_arc(edges, arcs_are, count_where_kept);
    counts = co_await all_reduce(std::move(counts), k_sum);
  }
  shape.boundaries = balanced_boundaries(buckets, counts, pes());
  plan.arcs_here = arcs_here(shape, buckets, counts);
  co_return plan;
}

/// The PE that stores an arc, and the number of the arc's row on that PE.
struct row_place {
  int owner;
  std::uint64_t row;
};

inline row_place place_of(arc a, const partition& shape) {
  const auto hub = shape.hub_number(a.source);
  const int owner = shape.owner(hub ? a.target : a.source);
  const std::uint64_t begin = shape.begin(owner);
  return {owner, hub ? shape.end(owner) - begin + *hub : a.source - begin};
}

/// What a PE stores of an arc: the target, and the weight if arcs have weights.
template <class Id, class Weighing>
using stored_target =
    std::conditional_t<std::is_same_v<Weighing, no_weighing>, Id, weighted_target<Id>>;

/// The arcs that a PE has received, before they are sorted into rows.
template <class Id, class Weighing = no_weighing>
using arrivals = row_bins<stored_target<Id, Weighing>>;

/// Returns the data that the owner of an arc stores. The arc comes from edge `i` of this PE, which
/// is `e`.
template <class Id, class Weighing>
stored_target<Id, Weighing> target_of(arc a, std::uint64_t i, edge e, const Weighing& weighing) {
  if constexpr (std::is_same_v<Weighing, no_weighing>)
    return static_cast<Id>(a.target);
  else
    return {static_cast<double>(weighing.weight(i, e)), static_cast<Id>(a.target),
            a.source != e.from};
}

/// Sends the arcs of the edges from `begin` on, and stops at `end` or when buffers are full.
/// Returns the number of the first edge whose arcs were not sent.
template <class Id, edge_source Edges, class Weighing>
std::uint64_t send_while_room(const Edges& edges, std::uint64_t begin, std::uint64_t end,
                              const graph_part<Id>& part, const Weighing& weighing,
                              per_pe<arrivals<Id, Weighing>> everywhere) {
  std::uint64_t i = begin;
  for (; i < end && has_room(); ++i) {
    const edge e = edges(i);
    for_each_arc(e, part.arcs_are, [&](arc a) {
      const auto [owner, row] = place_of(a, part.shape);
      async_call(owner, [everywhere, row = static_cast<Id>(row),
                         target = target_of<Id>(a, i, e, weighing)] {
        everywhere.local().add(row, target);
      });
    });
  }
  return i;
}

/// Number of rows that are sorted before other tasks run. The number is small because some rows
/// have many targets.
inline constexpr std::uint64_t k_sorted_rows = 1024;

/// Resizes `vector`. New elements are zero.
template <class Vector>
task<> grow(Vector& vector, std::uint64_t size) {
  vector.reserve(size);
  const auto some = [&](std::uint64_t, std::uint64_t end) { vector.resize(end); };
  co_await in_stretches(vector.size(), size, some, k_stretch * 64);
}

/// Makes rows of the arcs that have arrived, one range of rows (bin) after another. Targets are
/// stored without gaps. Memory behind the last target is not touched, and thus takes no pages.
template <class Id, class Weighing>
class row_maker {
 public:
  row_maker(graph_part<Id>& part, arrivals<Id, Weighing>& bins, const Weighing& weighing)
      : part_(part), bins_(bins), weighing_(weighing) {}

  /// Makes all rows, sorts each by target, and removes duplicates and self loops. The caller awaits
  /// this function, once.
  task<> make() {
    co_await grow(part_.input_arcs, part_.rows());
    co_await grow(part_.offsets, part_.rows() + 1);
    std::uint64_t arcs = 0;
    for (std::uint64_t b = 0; b < bins_.count(); ++b) arcs += bins_.arcs(b);
    part_.targets.reserve(arcs);
    if constexpr (k_weighted) part_.weights.reserve(arcs);
    for (std::uint64_t b = 0; b < bins_.count(); ++b) co_await make_rows_of(b);
    part_.offsets[part_.rows()] = part_.targets.size();
    bins_.clear();
  }

 private:
  static constexpr bool k_weighted = !std::is_same_v<Weighing, no_weighing>;
  using target = stored_target<Id, Weighing>;

  task<> make_rows_of(std::uint64_t b) {
    const std::uint64_t first = bins_.first_row(b), end = bins_.first_row(b + 1);
    std::uint32_t* const counts = part_.input_arcs.data() + first;
    const auto count = [counts](std::uint64_t row, const target&) { ++counts[row]; };
    co_await for_each_arc(b, count);
    ends_.resize(end - first);
    std::uint64_t before = 0;
    for (std::uint64_t r = 0; r < end - first; ++r) {
      ends_[r] = before;
      before += counts[r];
    }
    if (before != bins_.arcs(b))
      fail(errc::input, "a vertex has 2^32 edges or more, and rows count no more than 2^32 - 1");
    if (arcs_.size() < before) arcs_.resize(before);
    const auto place = [this](std::uint64_t row, const target& to) { arcs_[ends_[row]++] = to; };
    co_await for_each_arc(b, place);
    bins_.give_back(b);
    const auto keep = [this, first, counts](std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t r = from; r < to; ++r)
        keep_row(r,
                 std::span(arcs_).subspan(ends_[r - first] - counts[r - first], counts[r - first]));
    };
    co_await in_stretches(first, end, keep, k_sorted_rows);
  }

  template <class Visit>
  task<> for_each_arc(std::uint64_t b, Visit visit) {
    for (std::uint64_t chunk = 0; chunk < bins_.chunks(b); ++chunk) {
      bins_.for_each_arc(b, chunk, visit);
      co_await yield();
    }
  }

  /// Appends row `r` to the rows that were stored before. `arcs` has the arcs of the row.
  void keep_row(std::uint64_t r, std::span<Id> arcs) {
    part_.offsets[r] = part_.targets.size();
    std::ranges::sort(arcs);
    const auto different = std::unique(arcs.begin(), arcs.end());
    const auto end = std::remove(arcs.begin(), different, static_cast<Id>(part_.vertex_of_row(r)));
    part_.targets.insert(part_.targets.end(), arcs.begin(), end);
  }

  void keep_row(std::uint64_t r, std::span<weighted_target<Id>> arcs) {
    part_.offsets[r] = part_.targets.size();
    sort_row(arcs);
    const auto itself = static_cast<Id>(part_.vertex_of_row(r));
    for (std::size_t i = 0, end = 0; i < arcs.size(); i = end) {
      while (end < arcs.size() && arcs[end].target == arcs[i].target) ++end;
      if (arcs[i].target == itself) continue;
      part_.targets.push_back(arcs[i].target);
      part_.weights.push_back(
          weight_of_arc(std::span<const weighted_target<Id>>(arcs.subspan(i, end - i)), weighing_));
    }
  }

  graph_part<Id>& part_;
  arrivals<Id, Weighing>& bins_;
  const Weighing& weighing_;
  std::vector<std::uint64_t> ends_;  // for each row of a bin: index in `arcs_` after its last arc
  std::vector<target> arcs_;         // the arcs of a bin, by row
};

/// Sorts each row so that targets with many arcs come first. A bottom-up search visits the
/// neighbours of a vertex until one is in the frontier. Vertices with many arcs are most likely to
/// be in the frontier. PEs exchange the degrees of `at_a_time` vertices in each step. Every PE
/// calls this function.
template <class Id>
task<> all_order_by_degree(graph_part<Id>& part, std::uint64_t at_a_time);

}  // namespace graph

/// Builds the graph from the edges of all PEs. Every PE calls this function with its part of the
/// edges. The caller must make the objects `everywhere` and `arriving` before the call.
/// `input_edges` is the number of edges of all PEs. Arcs get weights if there is an `arc_weighing`.
/// The rows of a graph with weights are always sorted by target, whatever `order` says.
template <class Id, edge_source Edges, class Weighing>
task<> all_build(distributed_graph<Id> everywhere, per_pe<graph::arrivals<Id, Weighing>> arriving,
                 const Edges& edges, graph_size size, orientation arcs_are, hub_rows hubs,
                 row_order order, const Weighing& weighing) {
  graph_part<Id>& part = everywhere.local();
  graph::arc_plan plan = co_await graph::all_plan(edges, size.vertices, arcs_are, hubs);
  part.shape = std::move(plan.shape);
  part.arcs_are = arcs_are;
  part.input_edges = size.edges;
  part.first_vertex = part.shape.begin(my_pe());
  part.vertices = part.shape.end(my_pe()) - part.first_vertex;
  arriving.local().prepare(part.rows(), plan.arcs_here);
  co_await all_barrier();
  const auto send_all = [&]() -> task<> {
    for (std::uint64_t i = 0; i < edges.size();) {
      const std::uint64_t end = i + std::min(graph::k_stretch, edges.size() - i);
      i = graph::send_while_room(edges, i, end, part, weighing, arriving);
      if constexpr (requires { edges.used_until(i); }) edges.used_until(i);
      co_await yield();
    }
  };
  co_await finish(send_all);
  co_await all_barrier();
  graph::row_maker<Id, Weighing> rows(part, arriving.local(), weighing);
  co_await rows.make();
  const bool has_weights = !std::is_same_v<Weighing, no_weighing>;
  if (arcs_are == orientation::undirected && order == row_order::by_degree && !has_weights) {
    part.rows_are = row_order::by_degree;
    const auto all = static_cast<std::uint64_t>(pes());
    co_await graph::all_order_by_degree(part, graph::window_of(size.vertices, all));
  }
  co_await all_barrier();
}

}  // namespace atl

// This part sorts the targets of rows by their degrees. A PE receives the degrees of the vertices
// of other PEs step by step (see distributed_graph.hpp).
namespace atl::graph {

inline constexpr std::uint8_t k_class_of_hub = 64;

/// Returns the class of each owned vertex: the number of binary digits of its degree.
template <class Id>
std::vector<std::uint8_t> degree_classes(const graph_part<Id>& part) {
  std::vector<std::uint8_t> classes(part.vertices);
  for (std::uint64_t r = 0; r < part.vertices; ++r) {
    const bool is_hub = part.shape.hub_number(part.vertex_of_row(r)).has_value();
    const std::uint64_t arcs = part.offsets[r + 1] - part.offsets[r];
    classes[r] = is_hub ? k_class_of_hub : static_cast<std::uint8_t>(std::bit_width(arcs));
  }
  return classes;
}

/// Returns the class of the target of each arc. Rows must be sorted by target. Every PE calls this
/// function.
template <class Id>
task<huge_vector<std::uint8_t>> all_classes_of_targets(const graph_part<Id>& part,
                                                       std::uint64_t at_a_time) {
  const std::vector<std::uint8_t> mine = degree_classes(part);
  huge_vector<std::uint8_t> classes;
  co_await grow(classes, part.arcs());
  for (std::uint64_t begin = 0; begin < part.shape.vertices; begin += at_a_time) {
    const auto window = co_await all_gather_window(part, mine, begin, at_a_time);
    const auto look_up = [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t r = first; r < last; ++r) {
        const auto row = part.row(r);
        auto at = std::lower_bound(row.begin(), row.end(), begin);
        for (; at != row.end() && *at - begin < window.size(); ++at)
          classes[static_cast<std::uint64_t>(&*at - part.targets.data())] = window[*at - begin];
      }
    };
    co_await in_stretches(0, part.rows(), look_up, k_sorted_rows);
  }
  co_return classes;
}

/// Sorts the targets of row `r` by class; targets of large degree come first. Targets of equal
/// class are in ascending order. `keys` is scratch memory for one row.
template <class Id>
void order_row(graph_part<Id>& part, std::uint64_t r, const huge_vector<std::uint8_t>& classes,
               std::vector<std::uint64_t>& keys) {
  constexpr unsigned bits_of_vertex = std::bit_width(largest_vertex);
  keys.clear();
  for (std::uint64_t i = part.offsets[r]; i < part.offsets[r + 1]; ++i) {
    const std::uint64_t below = k_class_of_hub - classes[i];
    keys.push_back(below << bits_of_vertex | part.targets[i]);
  }
  std::ranges::sort(keys);
  std::uint64_t i = part.offsets[r];
  for (const std::uint64_t key : keys) part.targets[i++] = static_cast<Id>(key & largest_vertex);
}

template <class Id>
task<> all_order_by_degree(graph_part<Id>& part, std::uint64_t at_a_time) {
  const auto classes = co_await all_classes_of_targets(part, at_a_time);
  std::vector<std::uint64_t> keys;
  const auto order = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t r = begin; r < end; ++r) order_row(part, r, classes, keys);
  };
  co_await in_stretches(0, part.rows(), order, k_sorted_rows);
  part.first_targets.resize(part.vertices);
  for (std::uint64_t r = 0; r < part.vertices; ++r) {
    const auto itself = static_cast<Id>(part.vertex_of_row(r));
    part.first_targets[r] = part.row(r).empty() ? itself : part.row(r).front();
  }
}

}  // namespace atl::graph
