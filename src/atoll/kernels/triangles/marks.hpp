#pragma once
// The marks of the neighbours of a vertex u. While the triangles of u are counted (count.hpp), each
// neighbour of u has a mark. The mark of a neighbour counts the triangles that contain u and the
// neighbour.

#include "atoll/kernels/triangles/rows.hpp"
#include "atoll/local_memory.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace atl::kernels::triangles {

/// Numbers of triangles that were found for one vertex: for u, or for a neighbour of u.
struct found_triangles {
  std::uint32_t all = 0;
  /// In directed graphs: number of the triangles in which arcs in both directions connect the other
  /// two vertices of the triangle.
  std::uint32_t both = 0;
};

/// The mark of a neighbour in an undirected graph. If the vertex is marked, `triangles` is the
/// number of triangles found plus 1. If the vertex is not marked, `triangles` is 0.
struct plain_mark {
  std::uint32_t triangles = 0;

  void set(bool) { triangles = 1; }
  found_triangles found() const { return {triangles - 1, 0}; }
};

/// The mark of a neighbour in a directed graph. If the vertex is marked, `triangles` is 2 * (number
/// of triangles found + 1). If arcs in both directions connect u and the neighbour, `triangles` is
/// larger by 1. If the vertex is not marked, `triangles` is 0.
struct directed_mark {
  std::uint32_t triangles = 0;
  /// Number of the found triangles in which arcs in both directions connect u and the third vertex
  /// of the triangle.
  std::uint32_t opposite_both = 0;

  void set(bool both) { *this = {2u + (both ? 1u : 0u), 0}; }
  found_triangles found() const { return {triangles / 2 - 1, opposite_both}; }
};

template <class Form>
using mark_of = std::conditional_t<Form::directed, directed_mark, plain_mark>;

/// Marks of vertices in an array with an element per rank, for graphs with few vertices.
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

/// Marks of vertices in a hash table by rank. The table is as large as the row needs.
template <class Form>
class hashed_marks {
 public:
  using word = typename Form::word;

  /// Prepares the table for at most `most` marks. No mark may be set when this function is called.
  void begin(std::uint64_t most) {
    const std::uint64_t size = std::bit_ceil(4 * most + 1);
    if (size > slots_.size()) slots_.assign(size, {});
    shift_ = 64 - static_cast<unsigned>(std::bit_width(size - 1));
    last_ = size - 1;
  }

  /// Returns the mark of a vertex. For a vertex without a mark, the result is a mark with the value
  /// 0, which the caller must not change.
  mark_of<Form>& at(word rank) {
    slot& of = find(rank);
    return of.key == rank ? of.mark : none_;
  }

  void mark(word rank, bool both) {
    slot& of = find(rank);
    of.key = rank;
    of.mark.set(both);
  }

  /// Clears a mark. The caller must clear the marks in reverse order: the mark that was set last is
  /// cleared first. When one mark has been cleared, the caller must clear all marks before it sets
  /// or reads any mark.
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

/// Looks up the marks of all vertices in `row`, the row of a marked neighbour of a vertex u. A
/// marked vertex in the row is the third vertex of a triangle. The triangle is counted in the mark
/// of the third vertex and in the mark of the neighbour. Returns the numbers of the triangles that
/// were found for u.
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
