// The trees of the benchmark Unbalanced Tree Search (UTS), and the function that visits siblings.

#include "atoll/error.hpp"
#include "atoll/graph/uts/sha1.hpp"
#include "atoll/graph/uts/steps.hpp"
#include "atoll/random_graph.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace atl {
namespace {

using namespace graph::uts;

// clang-format off
constexpr std::array<tree_parameters, 8> k_published{{
    {"T1", tree_shape::fixed, 4, 10, 19, 0, 0, 0, {4130071, 3305118, 10}},
    {"T2", tree_shape::cyclic, 6, 16, 502, 0, 0, 0, {4117769, 2342762, 81}},
    {"T3", tree_shape::binomial, 2000, 0, 42, 0.124875, 8, 0, {4112897, 3599034, 1572}},
    {"T4", tree_shape::hybrid, 6, 16, 1, 0.234375, 4, 0.5, {4132453, 3108986, 134}},
    {"T5", tree_shape::linear, 4, 20, 34, 0, 0, 0, {4147582, 2181318, 20}},
    {"T1L", tree_shape::fixed, 4, 13, 29, 0, 0, 0, {102181082, 81746377, 13}},
    {"T2L", tree_shape::cyclic, 7, 23, 220, 0, 0, 0, {96793510, 53791152, 67}},
    {"T3L", tree_shape::binomial, 2000, 0, 7, 0.200014, 5, 0, {111345631, 89076904, 17844}},
}};
// clang-format on

// Visits siblings. The loop has no branches that depend on random values, because the processor
// would mispredict them.
inline tree_siblings* visit_all(const graph::tree_steps& of_depths, const tree_siblings some,
                                tree_siblings* found) {
  const children_steps& steps = of_depths.at_depth(some.depth);
  const auto store = [&](const tree_vertex& vertex) {
    const unsigned children = steps(random_value(vertex));
    *found = {vertex, some.depth + 1, 0, static_cast<std::uint16_t>(children)};
    found += children > 0 ? 1 : 0;
  };
  unsigned next = some.first;
  for (; next + 2 <= some.end; next += 2) {
    for (const tree_vertex& vertex : children_of<2>(some.parent, next)) store(vertex);
  }
  if (next < some.end) store(children_of<1>(some.parent, next)[0]);
  return found;
}

}  // namespace

std::span<const tree_parameters> published_trees() { return k_published; }

const tree_parameters* find_tree(std::string_view name) {
  const auto* const found = std::ranges::find(k_published, name, &tree_parameters::name);
  return found == k_published.end() ? nullptr : found;
}

void tree_parameters::check() const {
  constexpr double most_children = 65535;  // tree_siblings::end has 16 bits
  const auto expect = [](const char* what, double value, double least, double most) {
    if (value >= least && value <= most) return;
    fail(errc::input, "{} of a tree: {} is out of range ({} to {})", what, value, least, most);
  };
  expect("b0", b0, 0, most_children);
  const double least_depth = shape == tree_shape::binomial ? 0 : 1;
  expect("depth", static_cast<double>(depth), least_depth, static_cast<double>(largest_depth));
  expect("q", q, 0, 1);
  expect("m", static_cast<double>(m), 0, most_children);
  expect("shift", shift, 0, static_cast<double>(largest_depth));
}

random_tree::random_tree(const tree_parameters& parameters)
    : steps_((parameters.check(), std::make_shared<const graph::tree_steps>(parameters))) {
  const tree_vertex root = root_of(parameters.seed);
  const unsigned children = children_by_formula(parameters, 0, random_value(root));
  children_of_root_ = {root, 1, 0, static_cast<std::uint16_t>(children)};
}

tree_siblings* random_tree::visit(const tree_siblings some, tree_siblings* found) const {
  return visit_all(*steps_, some, found);
}

void waiting_siblings::push(const tree_siblings& found) {
  if (found.count() == 0) return;
  make_room(1);
  places_[end_++] = found;
}

void waiting_siblings::visit_some(const random_tree& whole, std::uint64_t least,
                                  tree_totals& found) {
  const graph::tree_steps& steps = *whole.steps_;
  std::uint64_t inner = 0, visited = 0, depth = found.depth;
  while (!empty() && visited < least) {
    const tree_siblings latest = pop_some();
    make_room(random_tree::most_visited + 1);
    tree_siblings* const first = &places_[end_];
    end_ = static_cast<std::size_t>(visit_all(steps, latest, first) - places_.data());
    visited += latest.count();
    inner += static_cast<std::size_t>(&places_[end_] - first);
    depth = std::max<std::uint64_t>(depth, latest.depth);
  }
  found.nodes += visited;
  found.leaves += visited - inner;
  found.depth = depth;
}

tree_siblings waiting_siblings::take_oldest() {
  if (size() > 1) return places_[begin_++];
  tree_siblings& only = places_[begin_];
  tree_siblings half = only;
  half.first = static_cast<std::uint16_t>(only.first + only.count() / 2);
  only.end = half.first;
  return half;
}

// Removes the siblings that were pushed last. If there are more than `most_visited` siblings,
// removes only a part of them.
tree_siblings waiting_siblings::pop_some() {
  tree_siblings& latest = places_[end_ - 1];
  tree_siblings some = latest;
  if (some.count() > random_tree::most_visited) [[unlikely]] {
    some.first = static_cast<std::uint16_t>(latest.end - random_tree::most_visited);
    latest.end = some.first;
  } else {
    --end_;
  }
  return some;
}

void waiting_siblings::make_room(std::size_t count) {
  if (end_ + count <= places_.size()) return;
  if (begin_ > end_ - begin_ + count) {
    std::copy(places_.begin() + static_cast<std::ptrdiff_t>(begin_),
              places_.begin() + static_cast<std::ptrdiff_t>(end_), places_.begin());
    end_ -= std::exchange(begin_, 0);
  } else {
    places_.resize(2 * (end_ + count));
  }
}

}  // namespace atl
