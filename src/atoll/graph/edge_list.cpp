#include "atoll/graph/edge_list.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace atl {

void refuse_size(const declared_size& declared, std::uint64_t edges) {
  if (edges > declared.edges)
    fail(errc::input, "{}: it has more {} than {} says: {}", declared.graph, declared.unit,
         declared.says_who, declared.edges);
  fail(errc::input, "{}: it has {} {}, and {} says {}", declared.graph, edges, declared.unit,
       declared.says_who, declared.edges);
}

void check_size(const declared_size& declared, const found_size& found) {
  if (declared.has_rows && found.rows != declared.vertices)
    fail(errc::input, "{}: it has {} lines of vertices, and {} says {}", declared.graph, found.rows,
         declared.says_who, declared.vertices);
  if (declared.counts_edges) check_size(declared, found.edges);
}

namespace {

template <class Visit>
void for_each_end(std::span<const edge> edges, counted_ends ends, Visit visit) {
  for (const edge& e : edges) {
    if (ends != counted_ends::to) visit(e.from);
    if (ends != counted_ends::from) visit(e.to);
  }
}

// Collects the degrees of vertices. Degrees must be added in ascending order of vertices.
class summary {
 public:
  void add(std::uint64_t vertex, std::uint64_t degree) {
    if (degree > result_.most) {
      result_.most = degree;
      result_.most_vertex = vertex;
    }
    const auto power = floor_log2(degree);
    if (power >= result_.by_power.size()) result_.by_power.resize(power + 1);
    ++result_.by_power[power];
    degrees_.push_back(degree);
  }

  degree_distribution finish(std::uint64_t ends) && {
    if (degrees_.empty()) return {};
    result_.vertices = degrees_.size();
    result_.mean = static_cast<double>(ends) / static_cast<double>(degrees_.size());
    result_.least = at_rank(0);
    result_.median = at_rank((degrees_.size() - 1) / 2);
    result_.percentile_99 = at_rank((degrees_.size() - 1) * 99 / 100);
    return std::move(result_);
  }

 private:
  std::uint64_t at_rank(std::size_t rank) {
    const auto place = degrees_.begin() + static_cast<std::ptrdiff_t>(rank);
    std::ranges::nth_element(degrees_, place);
    return *place;
  }

  degree_distribution result_;
  std::vector<std::uint64_t> degrees_;
};

// Computes degrees with one counter per vertex. One counter per vertex is efficient for graphs that
// use most of their ids.
void count_dense(std::span<const edge> edges, counted_ends ends, std::uint64_t vertices,
                 summary& degrees) {
  std::vector<std::uint64_t> counts(vertices);
  for_each_end(edges, ends, [&](std::uint64_t vertex) { ++counts[vertex]; });
  for (std::uint64_t vertex = 0; vertex < vertices; ++vertex) {
    if (counts[vertex] > 0) degrees.add(vertex, counts[vertex]);
  }
}

// Computes degrees by sorting the ids of the endpoints. Sorting is efficient if ids are far apart.
void count_sparse(std::span<const edge> edges, counted_ends ends, summary& degrees) {
  std::vector<std::uint64_t> vertices;
  vertices.reserve(edges.size() * (ends == counted_ends::both ? 2 : 1));
  for_each_end(edges, ends, [&](std::uint64_t vertex) { vertices.push_back(vertex); });
  std::ranges::sort(vertices);
  for (auto begin = vertices.begin(); begin != vertices.end();) {
    const auto end = std::find_if(begin, vertices.end(), [&](auto v) { return v != *begin; });
    degrees.add(*begin, static_cast<std::uint64_t>(end - begin));
    begin = end;
  }
}

bool uses_most_ids(std::span<const edge> edges) { return vertices_of(edges) <= 2 * edges.size(); }

// Returns the different ids in the edges, in ascending order.
std::vector<std::uint64_t> ids_in(std::span<const edge> edges) {
  std::vector<std::uint64_t> ids;
  ids.reserve(2 * edges.size());
  for_each_end(edges, counted_ends::both, [&](std::uint64_t vertex) { ids.push_back(vertex); });
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// Sets that can be joined (union-find). Each set is a tree whose root is its smallest element.
class joined_sets {
 public:
  explicit joined_sets(std::uint64_t size) : parents_(size), has_edge_(size) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  void join(std::uint64_t a, std::uint64_t b) {
    has_edge_[a] = has_edge_[b] = true;
    const auto [smaller, larger] = std::minmax({root_of(a), root_of(b)});
    parents_[larger] = smaller;
  }

  component_sizes sizes() {
    std::vector<std::uint64_t> members(parents_.size());
    component_sizes result;
    for (std::uint64_t i = 0; i < parents_.size(); ++i) {
      if (!has_edge_[i]) continue;
      const auto count = ++members[root_of(i)];
      result.count += count == 1 ? 1 : 0;
      result.largest = std::max(result.largest, count);
    }
    return result;
  }

 private:
  std::uint64_t root_of(std::uint64_t member) {
    for (; parents_[member] != member; member = parents_[member])
      parents_[member] = parents_[parents_[member]];
    return member;
  }

  std::vector<std::uint64_t> parents_;
  std::vector<bool> has_edge_;
};

}  // namespace

component_sizes components_of(std::span<const edge> edges) {
  if (uses_most_ids(edges)) {
    joined_sets sets(vertices_of(edges));
    for (const edge& e : edges) sets.join(e.from, e.to);
    return sets.sizes();
  }
  const auto ids = ids_in(edges);
  const auto place_of = [&](std::uint64_t id) {
    return static_cast<std::uint64_t>(std::ranges::lower_bound(ids, id) - ids.begin());
  };
  joined_sets sets(ids.size());
  for (const edge& e : edges) sets.join(place_of(e.from), place_of(e.to));
  return sets.sizes();
}

degree_distribution degrees_of(std::span<const edge> edges, counted_ends ends) {
  summary degrees;
  if (uses_most_ids(edges)) {
    count_dense(edges, ends, vertices_of(edges), degrees);
  } else {
    count_sparse(edges, ends, degrees);
  }
  return std::move(degrees).finish(edges.size() * (ends == counted_ends::both ? 2 : 1));
}

std::uint64_t vertices_of(std::span<const edge> edges) {
  std::uint64_t vertices = 0;
  for (const edge& e : edges) vertices = std::max({vertices, e.from + 1, e.to + 1});
  return vertices;
}

std::uint64_t least_vertex_of(std::span<const edge> edges) {
  std::uint64_t least = ~std::uint64_t{0};
  for (const edge& e : edges) least = std::min({least, e.from, e.to});
  return least;
}

std::uint64_t self_loops_of(std::span<const edge> edges) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(edges, [](const edge& e) { return e.from == e.to; }));
}

std::uint64_t sort_and_count_duplicates(std::span<edge> edges, bool directed) {
  if (!directed) {
    for (edge& e : edges) {
      if (e.to < e.from) std::swap(e.from, e.to);
    }
  }
  std::ranges::sort(edges);
  std::uint64_t duplicates = 0;
  for (std::size_t i = 1; i < edges.size(); ++i) duplicates += edges[i] == edges[i - 1];
  return duplicates;
}

}  // namespace atl
