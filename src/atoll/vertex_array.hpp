#pragma once
// Arrays for results about the vertices of a graph. A vertex array has one element per vertex,
// stored on the PE that owns the vertex.

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

/// A value that means "no vertex". For example, a search stores it as the parent of a vertex that
/// it has not reached.
inline constexpr vertex_id no_vertex = ~vertex_id{0};

/// What the elements of a vertex array mean, which decides how a file shows them.
enum class elements_are : std::uint8_t {
  numbers,
  vertices  ///< numbers of vertices; files show the names of these vertices, if vertices have names
};

/// An array with one element for each vertex of a graph. The graph must exist as long as the array
/// is used. The array object is a small trivially copyable handle, like the handle of a global
/// array. `destroy` frees the memory of the array; otherwise the end of the job frees it. If the
/// array or its graph was destroyed, functions that use elements throw atl::error (input) with the
/// line of the call.
template <class T>
class vertex_array {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> is no array: take std::uint8_t");

 public:
  vertex_array() = default;

  /// Makes an array of zeros. Programs call `make_vertex_array` (graph.hpp) instead. One task calls
  /// this function and waits. Throws atl::error (out_of_memory).
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

  /// Returns the global address of the element of `vertex`, for operations such as `read` and
  /// `write`. Any PE may call this function, which does not communicate. Throws atl::error (input)
  /// if the graph has no such vertex.
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

  /// Returns the vertex of the first element on this PE. Does not communicate.
  vertex_id first_vertex(site where = site::current()) const {
    check(where);
    return layout_->shape.begin(my_pe());
  }

  /// Returns the vertex of the `k`-th element of `local()`. `for_each` of loops.hpp needs this
  /// function. Does not communicate.
  vertex_id index_of_local(std::uint64_t k) const { return layout_->shape.begin(my_pe()) + k; }

  /// Calls `visit(vertex, element)` for each vertex that this PE owns. Does not communicate.
  template <class Visit>
  void for_each_local(Visit&& visit, site where = site::current()) const {
    vertex_id vertex = first_vertex(where);
    for (T& element : local(where)) visit(vertex++, element);
  }

  /// Returns the elements of all vertices, in ascending order of vertices. The PE of the calling
  /// task gets the vector. Tasks of any PEs may call this function at the same time. Suspends the
  /// task.
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

  /// Writes a file with one row per vertex. The format is `.txt`, `.tsv` or `.csv` (also as `.gz`
  /// or `.zst`), or `.npy`. T must be an unsigned integer or a floating-point number. The largest
  /// value of an unsigned T means that a vertex has no value: a text has no row for the vertex, and
  /// `.npy` has -1.
  ///
  /// One task of any PE calls this function and waits; PE 0 writes the file. Throws atl::error
  /// (input) if the path tells no format, if the file cannot be created, or if an integer needs 64
  /// bits. Throws atl::error (environment) if the disk is full.
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

  /// Writes a file with one row per vertex, as `write` does. Every PE calls this function with the
  /// same path and waits. Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const {
    const auto by_one = [self = *this, path = std::move(path), where] {
      return self.write(path, where);
    };
    return all_by_first(by_one, where);
  }

  /// Returns a description of the array as one of the columns of a file.
  vertex_column column(std::string_view title) const {
    return {title, what_ == elements_are::vertices, std::is_floating_point_v<T>};
  }

  /// Returns the value that files show for the vertex whose local element has the index `row`.
  /// Throws atl::error (input) if an integer needs 64 bits.
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

  /// Throws atl::error (input) if the array or its graph was destroyed, or if the handle is empty.
  void check(site where) const {
    life_.check("the vertex array", where);
    of_graph_.check("the graph of the vertex array", where);
  }

  /// Returns the layout of the graph, which tells the owner of each vertex.
  per_pe<graph::vertex_layout> layout() const { return layout_; }

  /// Returns an object that can be asked later whether the graph still exists.
  memory::lifetime life_of_graph() const { return of_graph_; }

  /// Frees the memory of the array on all PEs. One task calls this function, once, and waits. The
  /// array must not be used afterwards. Throws atl::error (input) if the array was destroyed
  /// before.
  task<> destroy(site where = site::current()) const {
    const vertex_array self = *this;
    self.life_.check("the vertex array", where);
    co_await self.elements_.destroy(where);
  }

  /// Frees the memory of the array on all PEs. Every PE calls this function and waits. The array
  /// must not be used afterwards.
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
  global_array<T> elements_;  // one block per PE; all blocks have the size of the largest part
  memory::lifetime life_, of_graph_;
  std::uint64_t size_ = 0;
  elements_are what_ = elements_are::numbers;
};

}  // namespace atl
