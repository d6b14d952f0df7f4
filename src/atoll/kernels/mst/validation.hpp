#pragma once
// Verifies that edges are the minimum spanning forest of a graph. The code is independent of the
// kernel's code: Kruskal's algorithm runs serially, with std::sort. Edges are ordered by weight,
// then by the smaller endpoint, then by the larger endpoint, so that only one forest is right.

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace atl::kernels::mst {

__extension__ typedef __int128 whole_total;

/// The type of a sum of weights. A sum of up to 2^63 integers is exact.
template <class Weight>
using total_of = std::conditional_t<std::is_integral_v<Weight>, whole_total, long double>;

/// An edge of the input or of a forest, with its endpoints in any order. A weight must not be NaN,
/// because weights are compared.
template <class Weight>
struct plain_edge {
  std::uint64_t u;
  std::uint64_t v;
  Weight weight;
};

/// Kinds of faults of an edge of a forest.
enum class forest_fault : std::uint8_t {
  none,
  unknown,       ///< the input has no edge between these endpoints
  wrong_weight,  ///< the input has edges between these endpoints, but with other weights
  twice,         ///< the forest has the edge more than once
  missing,       ///< the forest lacks an edge of the minimum spanning forest
  cycle          ///< the forest has the edge, although lighter edges connect its endpoints
};

template <class Weight>
struct forest_check {
  forest_fault fault = forest_fault::none;
  std::optional<plain_edge<Weight>> edge;  ///< the edge with the fault
  std::uint64_t edges = 0;                 ///< number of edges of the forest
  std::uint64_t expected_edges = 0;
  total_of<Weight> weight = 0;  ///< sum of the weights of the forest
  total_of<Weight> expected_weight = 0;

  bool right() const { return fault == forest_fault::none; }

  /// Returns a text such as "the edge 3 - 5 of weight 7 is missing; 6 edges of weight 40, not 7 of
  /// 47". The endpoints of the edge are written as numbers.
  std::string text() const;

  /// Returns the text of `text()` with the names `u` and `v` for the endpoints of the edge.
  std::string text(std::string_view u, std::string_view v) const;
};

template <class Weight>
void smaller_end_first(plain_edge<Weight>& e) {
  if (e.u > e.v) std::swap(e.u, e.v);
}

/// Returns the edges with the smaller endpoint first. The result is in the order in which Kruskal's
/// algorithm examines edges.
template <class Weight>
std::vector<plain_edge<Weight>> in_order(std::vector<plain_edge<Weight>> edges) {
  for (auto& e : edges) smaller_end_first(e);
  std::ranges::sort(edges, {}, [](const auto& e) { return std::tuple(e.weight, e.u, e.v); });
  return edges;
}

/// Returns the edges of the minimum spanning forest, sorted as by `in_order`. The input may have
/// duplicates and self loops. The required memory grows with the largest endpoint. The function is
/// serial. Any thread may call this function.
template <class Weight>
std::vector<plain_edge<Weight>> lightest_forest(std::vector<plain_edge<Weight>> input) {
  std::vector<plain_edge<Weight>> forest;
  input = in_order(std::move(input));
  std::uint64_t vertices = 0;
  for (const auto& e : input) vertices = std::max(vertices, e.v + 1);
  std::vector<std::uint64_t> parent(vertices);
  std::iota(parent.begin(), parent.end(), std::uint64_t{0});
  const auto root_of = [&](std::uint64_t of) {
    std::uint64_t root = of;
    while (parent[root] != root) root = parent[root];
    while (parent[of] != root) of = std::exchange(parent[of], root);
    return root;
  };
  for (const auto& e : input) {
    const auto a = root_of(e.u), b = root_of(e.v);
    if (a == b) continue;
    parent[b] = a;
    forest.push_back(e);
  }
  return forest;
}

/// The edges of an input, for searches by their endpoints.
template <class Weight>
class edges_by_ends {
 public:
  explicit edges_by_ends(std::vector<plain_edge<Weight>> edges) : edges_(std::move(edges)) {
    for (auto& e : edges_) smaller_end_first(e);
    std::ranges::sort(edges_, {}, ends);
  }

  /// Compares the edge `e` with the input. Returns the fault, or `none`. The smaller endpoint of
  /// the edge must be first.
  forest_fault fault_of(const plain_edge<Weight>& e) const {
    const auto alike = std::ranges::equal_range(edges_, ends(e), {}, ends);
    if (alike.empty()) return forest_fault::unknown;
    const bool has = std::ranges::find(alike, e.weight, weight_of) != alike.end();
    return has ? forest_fault::none : forest_fault::wrong_weight;
  }

 private:
  static std::pair<std::uint64_t, std::uint64_t> ends(const plain_edge<Weight>& e) {
    return {e.u, e.v};
  }
  static Weight weight_of(const plain_edge<Weight>& e) { return e.weight; }

  std::vector<plain_edge<Weight>> edges_;
};

/// Returns the first fault of a forest. All edges of the forest must be edges of the input. Both
/// lists must be sorted as by `in_order`.
template <class Weight>
std::pair<forest_fault, std::optional<plain_edge<Weight>>>
first_difference(const std::vector<plain_edge<Weight>>& forest,
                 const std::vector<plain_edge<Weight>>& expected) {
  const auto key = [](const auto& e) { return std::tuple(e.weight, e.u, e.v); };
  for (std::size_t i = 0; i < std::max(forest.size(), expected.size()); ++i) {
    const bool ends_here = i >= forest.size(), goes_on = i >= expected.size();
    if (ends_here || (!goes_on && key(expected[i]) < key(forest[i])))
      return {forest_fault::missing, expected[i]};
    if (!goes_on && key(expected[i]) == key(forest[i])) continue;
    const bool again = i > 0 && key(forest[i - 1]) == key(forest[i]);
    return {again ? forest_fault::twice : forest_fault::cycle, forest[i]};
  }
  return {forest_fault::none, std::nullopt};
}

/// Compares `claimed` with the minimum spanning forest of the input. If an edge of `claimed` is not
/// in the input, reports this edge. If all edges of `claimed` are in the input, reports the first
/// difference in the order of edges. The function is serial, and takes several times the memory of
/// the input. Any thread may call this function.
template <class Weight>
forest_check<Weight> check_forest(const std::vector<plain_edge<Weight>>& input,
                                  const std::vector<plain_edge<Weight>>& claimed) {
  const auto forest = in_order(claimed);
  const auto expected = lightest_forest(input);
  const auto total = [](const auto& edges) {
    total_of<Weight> sum = 0;
    for (const auto& e : edges) sum += e.weight;
    return sum;
  };
  forest_check<Weight> found;
  found.edges = forest.size();
  found.expected_edges = expected.size();
  found.weight = total(forest);
  found.expected_weight = total(expected);
  const edges_by_ends known(input);
  for (const auto& e : forest) {
    found.fault = known.fault_of(e);
    found.edge = e;
    if (!found.right()) return found;
  }
  std::tie(found.fault, found.edge) = first_difference(forest, expected);
  return found;
}

template <class Weight>
std::string forest_check<Weight>::text() const {
  return edge ? text(std::to_string(edge->u), std::to_string(edge->v)) : text("", "");
}

template <class Weight>
std::string forest_check<Weight>::text(std::string_view u, std::string_view v) const {
  constexpr std::string_view faults[] = {"",
                                         "is not in the input",
                                         "has another weight in the input",
                                         "is in the forest twice",
                                         "is missing",
                                         "closes a cycle of lighter edges"};
  std::string sentence;
  if (edge) {
    sentence = fmt::format("the edge {} - {} of weight {} {}; ", u, v, edge->weight,
                           faults[static_cast<std::size_t>(fault)]);
  }
  sentence += fmt::format("{} edges of weight {}", edges, weight);
  if (right()) return sentence;
  return sentence + fmt::format(", not {} of {}", expected_edges, expected_weight);
}

}  // namespace atl::kernels::mst
