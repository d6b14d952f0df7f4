#pragma once
// A tree of UTS whose vertices are in global memory. A random bijection determines where vertex i
// is stored, so neighbours are far apart.

#include "atoll/atoll.hpp"
#include "atoll/error.hpp"
#include "atoll/random_graph.hpp"

#include <array>
#include <bit>
#include <memory>
#include <vector>

namespace atl::bench::uts {

struct vertex {
  /// Number of the first child. The children of a vertex have consecutive numbers.
  std::uint32_t first_child;
  std::uint32_t children;
};

/// A random bijection of the numbers below `size`.
class random_places {
 public:
  random_places() : random_places(0, 1) {}
  /// Makes a bijection. `size` must be greater than 0.
  random_places(std::uint64_t key, std::uint64_t size)
      : scramble_(key, static_cast<unsigned>(std::bit_width(size - 1))), size_(size) {}

  /// Returns the image of `i`. The function applies a permutation of the numbers below a power of
  /// two, until the result is below `size`. The repetition always ends, because a permutation
  /// consists of cycles and `i` is below `size`. On average, fewer than two applications are
  /// needed, because `size` is more than half of the power of two.
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

/// A vertex that has children, before the children are numbered.
struct inner_vertex {
  tree_siblings children;
  std::uint32_t number;
};

/// The vertices of a level that have children. The memory of `vertices` counts towards the setting
/// memory-limit.
struct level {
  std::vector<inner_vertex> vertices;
  std::unique_ptr<const held_memory> held;

  /// Counts the memory of the vertices. Must be called when the level is complete. Throws
  /// atl::error (out_of_memory).
  void count() {
    held = std::make_unique<const held_memory>(vertices.capacity() * sizeof(inner_vertex),
                                               "a level of the tree (--in-memory)");
  }
};

/// Numbers the children of a vertex from `first` on. Children that have children themselves are
/// added to the next level.
inline void add_children(const random_tree& whole, const inner_vertex& parent, std::uint64_t first,
                         level& next) {
  for (std::uint32_t i = 0; i < parent.children.end; ++i) {
    tree_siblings one = parent.children;
    one.first = static_cast<std::uint16_t>(i);
    one.end = static_cast<std::uint16_t>(i + 1);
    std::array<tree_siblings, 2> found;
    if (whole.visit(one, found.data()) == found.data()) continue;
    next.vertices.push_back({found[0], static_cast<std::uint32_t>(first + i)});
  }
}

/// Numbers the children of all vertices in `current`, beginning with `first`, and replaces
/// `current` by the next level. If `mine` is true, writes the vertices of the level to memory.
inline task<> descend(const random_tree& whole, built_tree built, level& current,
                      std::uint64_t first, bool mine) {
  level next;
  for (const inner_vertex& parent : current.vertices) {
    const vertex told{static_cast<std::uint32_t>(first), parent.children.end};
    if (mine) async_write(built[parent.number], told);
    add_children(whole, parent, first, next);
    first += parent.children.end;
    if (!has_room()) co_await room();
  }
  next.count();
  current = std::move(next);
}

inline std::uint64_t children_of_all(const level& current) {
  std::uint64_t children = 0;
  for (const inner_vertex& parent : current.vertices) children += parent.children.end;
  return children;
}

/// Reduces the level to the part of this PE. Before this call, every PE has the whole level.
inline void keep_own_part(level& whole) {
  level own;
  for (auto i = static_cast<std::size_t>(my_pe()); i < whole.vertices.size();
       i += static_cast<std::size_t>(pes()))
    own.vertices.push_back(whole.vertices[i]);
  own.count();
  whole = std::move(own);
}

/// Writes this PE's part of the tree, level by level. The first levels of the tree are too small to
/// be divided, so every PE computes all of the first levels. Every PE calls this function.
inline task<> all_build(const random_tree& whole, built_tree built) {
  constexpr std::size_t enough_a_pe = 64;
  std::uint64_t next = 1;  // the smallest number that no vertex has yet
  const std::size_t enough = enough_a_pe * static_cast<std::size_t>(pes());
  level current;
  if (whole.children_of_root().count() > 0)
    current.vertices.push_back({whole.children_of_root(), 0});
  while (!current.vertices.empty() && current.vertices.size() < enough) {
    const std::uint64_t children = children_of_all(current);
    co_await descend(whole, built, current, next, my_pe() == 0);
    next += children;
  }
  keep_own_part(current);
  while (true) {
    std::uint64_t in_all = 0, on_pes_before = 0;
    const auto children = co_await all_gather(children_of_all(current));
    for (int pe = 0; pe < pes(); ++pe) {
      if (pe == my_pe()) on_pes_before = in_all;
      in_all += children[static_cast<std::size_t>(pe)];
    }
    if (in_all == 0) co_return;
    if (next + in_all > built.vertices.size())
      fail(errc::input, "the tree has more vertices than the {} that are declared",
           built.vertices.size());
    co_await descend(whole, built, current, next + on_pes_before, true);
    next += in_all;
  }
}

}  // namespace building

/// Builds the tree in global memory. Each vertex is zeroed or written once. `parameters` must
/// contain the size of the tree. One task calls this function. Throws atl::error (out_of_memory).
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
}  // namespace atl::bench::uts
