#pragma once
// Results about the vertices of a graph: one element for each vertex, on the PE that owns the
// vertex.

#include "atoll/array.hpp"
#include "atoll/graph/vertex_file.hpp"
#include "atoll/sync/by_first_pe.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace atl {

/// The number of a vertex, from 0 to the number of vertices - 1.
using vertex_id = std::uint64_t;

/// Stands for no vertex, for example as the parent of a vertex that a search has not reached.
inline constexpr vertex_id no_vertex = ~vertex_id{0};

/// The meaning of the elements of a vertex array in a file.
enum class elements_are : std::uint8_t {
  numbers,
  vertices  ///< written as names, if vertices have names
};

/// An array with one element for each vertex of a graph, which must outlive it. A small trivially
/// copyable handle, like that of a global array. `destroy` frees its memory, or else the end of the
/// job. All functions that use elements throw atl::error (input), with the line of the call, if the
/// array or its graph was destroyed.
template <class T>
class vertex_array {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> is no array: take std::uint8_t");

 public:
  vertex_array() = default;

  /// Makes an array of zeros; programs call `make_vertex_array` (graph.hpp). One task calls it and
  /// waits. Throws atl::error (out_of_memory).
  static task<vertex_array> make(per_pe<graph::vertex_layout> layout,
                                 elements_are what = elements_are::numbers,
                                 site where = site::current()) {
    vertex_array made;
    made.layout_ = layout;
    made.of_graph_ = layout.life();
    made.what_ = what;
    made.size_ = layout->shape.vertices;
    const std::uint64_t most = std::max<std::uint64_t>(1, layout->most_of_a_pe());
    made.elements_ = co_await make_array<T>(most * static_cast<std::uint64_t>(pes()), most, where);
    made.life_ = made.elements_.life();
    co_return made;
  }

  /// Returns the number of vertices.
  std::uint64_t size() const { return size_; }

  /// Returns the address of the element of `vertex`, for delegates such as `read` and `write`. Any
  /// PE may call it; the call does not communicate. Throws atl::error (input) if there is no such
  /// vertex.
  global_address<T> operator[](memory::element_index vertex) const {  // NOLINT: as in global_array
    check(vertex.where);
    if (vertex.number >= size_) memory::refuse_elements(vertex.number, 1, size_, vertex.where);
    const partition& shape = layout_->shape;
    const int owner = shape.owner(vertex.number);
    return elements_[first_element(owner) + (vertex.number - shape.begin(owner))];
  }

  /// Returns the elements of the vertices that this PE owns, in ascending order of vertices. Does
  /// not communicate.
  std::span<T> local(site where = site::current()) const {
    check(where);
    return elements_.local(where).first(layout_->vertices_of(my_pe()));
  }

  /// Returns the vertex of the first local element. Does not communicate.
  vertex_id first_vertex(site where = site::current()) const {
    check(where);
    return layout_->shape.begin(my_pe());
  }

  /// Calls `visit(vertex, element)` for each vertex that this PE owns. Does not communicate.
  template <class Visit>
  void for_each_local(Visit&& visit, site where = site::current()) const {
    vertex_id vertex = first_vertex(where);
    for (T& element : local(where)) visit(vertex++, element);
  }

  /// Returns the elements of all vertices, in ascending order of vertices, on the PE of the calling
  /// task. Tasks of any PEs may call it, also at the same time. Suspends the task.
  task<std::vector<T>> gather(site where = site::current()) const {
    const vertex_array self = *this;
    self.check(where);
    std::vector<T> all(self.size_);
    const partition& shape = self.layout_->shape;
    for (int pe = 0; pe < pes(); ++pe) {
      const auto part = std::span(all).subspan(shape.begin(pe), self.layout_->vertices_of(pe));
      if (!part.empty()) co_await get(self.elements_, self.first_element(pe), part, where);
    }
    co_return all;
  }

  /// Writes a file with one row per vertex: `.txt`, `.tsv`, `.csv` (also as `.gz` or `.zst`) or
  /// `.npy`. T is an unsigned integer or a floating-point number. The largest value of an unsigned
  /// T means no value: a text has no row for that vertex, and `.npy` has -1.
  ///
  /// One task of any PE calls it and waits; PE 0 writes the file. Throws atl::error: input if the
  /// path tells no format or cannot be written, or an integer needs 64 bits; environment if the
  /// disk is full.
  task<> write(std::string path, site where = site::current()) const {
    static constexpr memory::call_of_one k_write{"write", "all_write"};
    const vertex_array self = *this;
    self.check(where);
    const memory::named_call call(k_write, where);
    co_await on_all_pes([self] {
      for (std::uint64_t row = 0; row < self.local().size(); ++row)
        static_cast<void>(self.written(row));
    });
    co_await self.write_checked(std::move(path));
  }

  /// Writes a file with one row per vertex, as `write` does. Every PE calls it with the same path
  /// and waits. Throws as `write`.
  task<> all_write(std::string path, site where = site::current()) const {
    const auto by_one = [self = *this, path = std::move(path), where] {
      return self.write(path, where);
    };
    return all_by_first(by_one, where);
  }

  /// Returns the description of the array as one column of a file of several columns.
  vertex_column column(std::string_view title) const {
    return {title, what_ == elements_are::vertices, std::is_floating_point_v<T>};
  }

  /// Returns the value in files for the vertex with this local element. Throws atl::error (input)
  /// if an integer needs 64 bits.
  std::int64_t written(std::uint64_t row) const {
    static_assert(std::is_unsigned_v<T> || std::is_floating_point_v<T>,
                  "a file of vertices holds unsigned integers or floating-point numbers");
    const T value = local()[row];
    if constexpr (std::is_floating_point_v<T>) {
      return std::bit_cast<std::int64_t>(static_cast<double>(value));
    } else {
      if (value == static_cast<T>(~T{0})) return no_value;
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        fail(errc::input, "vertex {} has {}, and files hold integers of 63 bits",
             first_vertex() + row, value);
      return static_cast<std::int64_t>(value);
    }
  }

  /// Throws atl::error (input) if the array or its graph was destroyed, or the handle is empty.
  void check(site where) const {
    life_.check("the vertex array", where);
    of_graph_.check("the graph of the vertex array", where);
  }

  /// Returns the layout of the graph: which PE owns which vertex.
  per_pe<graph::vertex_layout> layout() const { return layout_; }

  /// Returns an object that can say later whether the graph still exists.
  memory::lifetime life_of_graph() const { return of_graph_; }

  /// Frees the memory of the array on all PEs. One task calls it, once, and waits; nothing may use
  /// the array afterwards. Throws atl::error (input) if the array was destroyed before.
  task<> destroy(site where = site::current()) const {
    const vertex_array self = *this;
    self.life_.check("the vertex array", where);
    co_await self.elements_.destroy(where);
  }

  /// Frees the memory of the array on all PEs. Every PE calls it and waits; nothing may use the
  /// array afterwards.
  task<> all_destroy(site where = site::current()) const {
    return all_by_first([self = *this, where] { return self.destroy(where); }, where);
  }

 private:
  task<> write_checked(std::string path) const {
    const auto describe = [self = *this]() -> graph::described_vertices {
      const auto value = [self](std::uint64_t row, std::size_t) { return self.written(row); };
      return {{self.column("value")}, value};
    };
    return graph::write_vertex_file(layout_, std::move(path), describe);
  }

  std::uint64_t first_element(int pe) const {
    return static_cast<std::uint64_t>(pe) * elements_.block_size();
  }

  per_pe<graph::vertex_layout> layout_;
  global_array<T> elements_;  // one block per PE, of the size of the largest part
  memory::lifetime life_, of_graph_;
  std::uint64_t size_ = 0;
  elements_are what_ = elements_are::numbers;
};

}  // namespace atl
