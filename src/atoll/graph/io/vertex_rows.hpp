#pragma once
// Rows of files with a row for each vertex.

#include "atoll/graph/vertex_names.hpp"
#include "atoll/graph_files.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace atl {

/// A value in the row of a vertex.
struct vertex_column {
  std::string_view title;
  bool is_vertex = false;  ///< the values are vertices: text has their names
  bool is_real = false;    ///< the values are the bits of doubles; an array has doubles only, then
};

/// The value of a vertex about which nothing is known.
inline constexpr std::int64_t no_value = -1;

namespace graph {

inline bool any_real(std::span<const vertex_column> columns) {
  return std::ranges::any_of(columns, &vertex_column::is_real);
}

/// Returns the head before the rows of `vertices` vertices. With `with_ids`, an array has a column
/// of ids.
std::string head_of_rows(vertex_style style, std::span<const vertex_column> columns,
                         std::uint64_t vertices, bool with_ids = false);

/// Adds a name in the form of a text of this style, in quotes if a csv needs them (RFC 4180).
void append_name(std::string& to, vertex_style style, std::string_view name);

/// The rows of some vertices, one after another.
class vertex_rows {
 public:
  /// All arguments must outlive this object. Vertices without a label are written as numbers.
  vertex_rows(vertex_style style, std::span<const vertex_column> columns,
              const vertex_labels& labels)
      : style_(style), columns_(columns), has_reals_(any_real(columns)), labels_(labels) {}

  /// Adds the row of a vertex, whose values are in the order of the columns. A text has no row for
  /// a vertex whose first value is `no_value` or infinite. An array has a row of numbers for each
  /// vertex, in order, after the id if ids were compacted.
  void add(std::uint64_t vertex, std::span<const std::int64_t> values);

  /// Returns the bytes of all rows. Call it once.
  std::string take() && { return std::move(bytes_); }

 private:
  void add_numbers(std::uint64_t vertex, std::span<const std::int64_t> values);
  void add_text(std::uint64_t vertex, std::span<const std::int64_t> values);
  void add_vertex(std::uint64_t vertex);
  void add_number(std::uint64_t number);
  void add_real(double number);

  vertex_style style_;
  std::span<const vertex_column> columns_;
  bool has_reals_;
  const vertex_labels& labels_;
  std::string bytes_;
};

}  // namespace graph
}  // namespace atl
