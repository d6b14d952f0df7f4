#pragma once
// The marks of the neighbours of a vertex, and the counts of triangles at each of them.

#include "atoll/kernels/triangles/rows.hpp"
#include "atoll/local_memory.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace atl::kernels::triangles {

/// Triangles that contain two given vertices.
struct found_triangles {
  std::uint32_t all = 0;
  std::uint32_t both = 0;  ///< those whose opposite edge has arcs both ways; of directed graphs
};

/// The mark of a neighbour in an undirected graph: 0, or the number of triangles found, plus 1.
struct plain_mark {
  std::uint32_t triangles = 0;

  void set(bool) { triangles = 1; }
  found_triangles found() const { return {triangles - 1, 0}; }
};

/// The mark of a neighbour in a directed graph: 0, or twice the number of triangles found plus 2,
/// plus 1 if arcs lead both ways.
struct directed_mark {
  std::uint32_t triangles = 0;
  std::uint32_t opposite_both = 0;  ///< those whose opposite edge has arcs both ways

  void set(bool both) { *this = {2u + (both ? 1u : 0u), 0}; }
  found_triangles found() const { return {triangles / 2 - 1, opposite_both}; }
};

template <class Form>
using mark_of = std::conditional_t<Form::directed, directed_mark, plain_mark>;

/// Marks of vertices by rank, for graphs of few vertices.
template <class Form>
class direct_marks {
 public:
  using word = typename Form::word;

  explicit direct_marks(std::uint64_t vertices) : marks_(vertices) {}

  void begin(std::uint64_t) {}
  mark_of<Form>& at(word rank) { return marks_[rank]; }
  void mark(word rank, bool both) { marks_[rank].set(both); }
  void clear(word rank) { marks_[rank] = {}; }

 private:
  huge_vector<mark_of<Form>> marks_;
};

/// Marks of vertices by rank, in a hash table that is as large as the row needs.
template <class Form>
class hashed_marks {
 public:
  using word = typename Form::word;

  /// Prepares for at most `most` marks; none is set.
  void begin(std::uint64_t most) {
    const std::uint64_t size = std::bit_ceil(4 * most + 1);
    if (size > slots_.size()) slots_.assign(size, {});
    shift_ = 64 - static_cast<unsigned>(std::bit_width(size - 1));
    last_ = size - 1;
  }

  /// Returns the mark of a vertex, which is 0 for one that is not marked; that must stay so.
  mark_of<Form>& at(word rank) {
    slot& of = find(rank);
    return of.key == rank ? of.mark : none_;
  }

  void mark(word rank, bool both) {
    slot& of = find(rank);
    of.key = rank;
    of.mark.set(both);
  }

  /// Clears a mark. All marks are cleared before the next one is set or asked for, in the opposite
  /// order of setting them.
  void clear(word rank) { find(rank) = {}; }

 private:
  static constexpr word k_no_vertex = std::numeric_limits<word>::max();

  struct slot {
    word key = k_no_vertex;
    mark_of<Form> mark;
  };

  slot& find(word rank) {
    std::uint64_t place = (rank * 0x9e3779b97f4a7c15u) >> shift_;
    while (slots_[place].key != rank && slots_[place].key != k_no_vertex)
      place = (place + 1) & last_;
    return slots_[place];
  }

  std::vector<slot> slots_;
  std::uint64_t last_ = 0;
  unsigned shift_ = 0;
  mark_of<Form> none_;
};

/// Looks up all entries of the row of a marked neighbour of vertex u. Each that is marked, too, is
/// the third vertex of a triangle: it is counted at its mark and at that of the neighbour.
template <class Form, class Marks>
found_triangles look_up(Marks& marks, typename Form::word neighbour,
                        std::span<const typename Form::word> row) {
  found_triangles of_u;
  if constexpr (!Form::directed) {
    for (const auto entry : row) {
      auto& mark = marks.at(entry);
      const std::uint32_t hit = mark.triangles != 0 ? 1 : 0;
      mark.triangles += hit;
      of_u.all += hit;
    }
    marks.at(neighbour).triangles += of_u.all;
  } else {
    const auto u_both = static_cast<std::uint32_t>(Form::both(neighbour));
    std::uint32_t opposite_both = 0;
    for (const auto entry : row) {
      auto& mark = marks.at(Form::rank(entry));
      const std::uint32_t hit = mark.triangles != 0 ? 1 : 0;
      opposite_both += mark.triangles & 1;
      mark.triangles += 2 * hit;
      mark.opposite_both += hit & u_both;
      of_u.all += hit;
      of_u.both += hit & static_cast<std::uint32_t>(Form::both(entry));
    }
    auto& mark = marks.at(Form::rank(neighbour));
    mark.triangles += 2 * of_u.all;
    mark.opposite_both += opposite_both;
  }
  return of_u;
}

}  // namespace atl::kernels::triangles
