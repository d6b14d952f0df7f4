#pragma once
// A tree of UTS as vertices in global memory. A random bijection places vertex i, so that
// neighbours are far apart.

#include "atoll/atoll.hpp"
#include "atoll/base/charged.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/graph/generator.hpp"
#include "atoll/random_graph.hpp"

#include <array>
#include <bit>

namespace atl::kernels::uts {

struct vertex {
  std::uint32_t first_child;  ///< number of the first child; the others follow
  std::uint32_t children;
};

/// A random bijection of [0, size).
class random_places {
 public:
  random_places() : random_places(0, 1) {}
  /// Makes a bijection. `size` must be greater than 0.
  random_places(std::uint64_t key, std::uint64_t size)
      : scramble_(key, static_cast<unsigned>(std::bit_width(size - 1))), size_(size) {}

  /// Returns the place of `i`. Scrambles repeatedly while the result is out of range; the cycle
  /// leads back into the range. This takes fewer than two steps on average because the range is
  /// more than half of the scramble's range.
  std::uint64_t operator()(std::uint64_t i) const {
    do {
      i = scramble_(i);
    } while (i >= size_);
    return i;
  }

 private:
  scramble scramble_;
  std::uint64_t size_;
};

/// A handle of the tree, which can be sent. Vertex 0 is the root.
struct built_tree {
  global_array<vertex> vertices;
  random_places places;

  global_address<vertex> operator[](std::uint64_t i) const { return vertices[places(i)]; }
};

namespace building {

/// A vertex that has children, before they are numbered.
struct inner_vertex {
  tree_siblings children;
  std::uint32_t number;
};
using level = charged_vector<inner_vertex>;

/// Numbers the children of a vertex from `first` on, and adds those that have children themselves
/// to the next level.
inline void add_children(const random_tree& whole, const inner_vertex& parent, std::uint64_t first,
                         level& next) {
  for (std::uint32_t i = 0; i < parent.children.end; ++i) {
    tree_siblings one = parent.children;
    one.first = static_cast<std::uint16_t>(i);
    one.end = static_cast<std::uint16_t>(i + 1);
    std::array<tree_siblings, 2> found;
    if (whole.visit(one, found.data()) == found.data()) continue;
    next.push_back({found[0], static_cast<std::uint32_t>(first + i)});
  }
}

/// Numbers the children of a level from `first` on and makes the next level. Writes the vertices of
/// the level to memory if `mine`.
inline task<> descend(const random_tree& whole, built_tree built, level& vertices,
                      std::uint64_t first, bool mine) {
  level next(vertices.get_allocator());
  for (const inner_vertex& parent : vertices) {
    const vertex told{static_cast<std::uint32_t>(first), parent.children.end};
    if (mine) async_write(built[parent.number], told);
    add_children(whole, parent, first, next);
    first += parent.children.end;
    if (!has_room()) co_await room();
  }
  vertices = std::move(next);
}

inline std::uint64_t children_of_all(const level& vertices) {
  std::uint64_t children = 0;
  for (const inner_vertex& parent : vertices) children += parent.children.end;
  return children;
}

/// Reduces the level, which every PE has as a whole, to the part of this PE.
inline void keep_own_part(level& vertices) {
  level own(vertices.get_allocator());
  for (auto i = static_cast<std::size_t>(my_pe()); i < vertices.size();
       i += static_cast<std::size_t>(pes()))
    own.push_back(vertices[i]);
  vertices = std::move(own);
}

/// Writes this PE's part of the tree, level by level. The first levels are too small to be divided;
/// every PE computes them as a whole. Every PE calls it.
inline task<> all_build(const random_tree& whole, built_tree built) {
  constexpr std::size_t enough_a_pe = 64;
  std::uint64_t next = 1;  // the next free number
  level vertices(*this_pe().account);
  if (whole.children_of_root().count() > 0) vertices.push_back({whole.children_of_root(), 0});
  while (!vertices.empty() && vertices.size() < enough_a_pe * static_cast<std::size_t>(pes())) {
    const std::uint64_t children = children_of_all(vertices);
    co_await descend(whole, built, vertices, next, my_pe() == 0);
    next += children;
  }
  keep_own_part(vertices);
  while (true) {
    std::uint64_t in_all = 0, on_pes_before = 0;
    const auto children = co_await all_gather(children_of_all(vertices));
    for (int pe = 0; pe < pes(); ++pe) {
      if (pe == my_pe()) on_pes_before = in_all;
      in_all += children[static_cast<std::size_t>(pe)];
    }
    if (in_all == 0) co_return;
    ATOLL_ASSERT(next + in_all <= built.vertices.size(), "a tree is as large as it is said to be");
    co_await descend(whole, built, vertices, next + on_pes_before, true);
    next += in_all;
  }
}

}  // namespace building

/// Builds the tree in global memory; each vertex is zeroed or written once. `parameters` must
/// declare the size of the tree. One task calls it. Throws atl::error (out_of_memory).
inline task<built_tree> build(tree_parameters parameters, std::uint64_t seed) {
  const std::uint64_t size = parameters.published.nodes;
  built_tree built;
  built.vertices = co_await make_array<vertex>(size);
  built.places = random_places(random_key(seed), size);
  const auto part = [=]() -> task<> {
    const random_tree whole(parameters);
    co_await building::all_build(whole, built);
  };
  co_await on_all_pes(part);
  co_return built;
}
}  // namespace atl::kernels::uts
