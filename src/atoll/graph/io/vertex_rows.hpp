#pragma once
// Makes the rows of files that have one row per vertex.

#include "atoll/graph/vertex_names.hpp"
#include "atoll/graph_files.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace atl {

/// A column of a file that has one row per vertex. Each vertex has one value in the column.
struct vertex_column {
  std::string_view title;
  /// Whether the values are vertices; a text contains the names of these vertices.
  bool is_vertex = false;
  /// Whether the values are the bits of doubles. If one column of an array has doubles, all columns
  /// of the array are stored as doubles.
  bool is_real = false;
};

/// The number that stands for a missing value of a vertex.
inline constexpr std::int64_t no_value = -1;

namespace graph {

inline bool any_real(std::span<const vertex_column> columns) {
  return std::ranges::any_of(columns, &vertex_column::is_real);
}

/// Returns the head of a file with the rows of `vertices` vertices. If `with_ids` is true, an array
/// has an additional column with the ids of the vertices.
std::string head_of_rows(vertex_style style, std::span<const vertex_column> columns,
                         std::uint64_t vertices, bool with_ids = false);

/// Appends a name to a text of the style `style`. In a csv, the name is quoted if necessary (RFC
/// 4180).
void append_name(std::string& to, vertex_style style, std::string_view name);

/// The rows of some vertices, one after another.
class vertex_rows {
 public:
  /// Makes an empty object. All arguments must outlive this object. A vertex without a label is
  /// written as its number.
  vertex_rows(vertex_style style, std::span<const vertex_column> columns,
              const vertex_labels& labels)
      : style_(style), columns_(columns), has_reals_(any_real(columns)), labels_(labels) {}

  /// Adds the row of a vertex; the values are in the order of the columns. If the first value is
  /// `no_value` or infinite, a text gets no row. An array has a row for each vertex, and vertices
  /// must be added in ascending order. If ids were compacted, the row begins with the id.
  void add(std::uint64_t vertex, std::span<const std::int64_t> values);

  /// Returns the bytes of all rows. The caller must call this function only once.
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
