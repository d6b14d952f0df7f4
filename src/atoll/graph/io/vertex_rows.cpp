#include "atoll/graph/io/vertex_rows.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace atl {

vertex_format vertex_format_of(std::string_view path) {
  static constexpr std::array<std::string_view, 4> endings = {"txt", "tsv", "csv", "npy"};
  const auto found = std::ranges::find(endings, ending_of_content(path));
  if (found == endings.end()) {
    fail(errc::input,
         "{}: the name does not say how to write: .txt, .tsv, .csv or .npy, alone or with .gz or "
         ".zst after it",
         path);
  }
  return {static_cast<vertex_style>(found - endings.begin()), compression_of(path)};
}

namespace graph {
namespace {

bool is_missing(std::int64_t value, const vertex_column& of) {
  return of.is_real ? std::isinf(std::bit_cast<double>(value)) : value == no_value;
}

char separator_of(vertex_style style) { return style == vertex_style::csv ? ',' : '\t'; }

}  // namespace

std::string head_of_rows(vertex_style style, std::span<const vertex_column> columns,
                         std::uint64_t vertices, bool with_ids) {
  if (style == vertex_style::npy)
    return npy_head(vertices, columns.size() + (with_ids ? 1 : 0),
                    any_real(columns) ? "<f8" : "<i8");
  std::string line = style == vertex_style::txt ? "# vertex" : "vertex";
  for (const auto& column : columns) {
    line += separator_of(style);
    line += column.title;
  }
  return line + '\n';
}

// Names contain no tabs.
void append_name(std::string& to, vertex_style style, std::string_view name) {
  if (style != vertex_style::csv || name.find_first_of(",\"") == name.npos) {
    to += name;
    return;
  }
  to += '"';
  for (const char c : name) to.append(c == '"' ? 2 : 1, c);
  to += '"';
}

void vertex_rows::add(std::uint64_t vertex, std::span<const std::int64_t> values) {
  if (style_ == vertex_style::npy) {
    add_numbers(vertex, values);
  } else if (!is_missing(values[0], columns_[0])) {
    add_text(vertex, values);
  }
}

void vertex_rows::add_numbers(std::uint64_t vertex, std::span<const std::int64_t> values) {
  const auto id_of = [this](auto v) {
    return static_cast<std::int64_t>(labels_.id_of(static_cast<std::uint64_t>(v)));
  };
  const auto append = [this](std::int64_t number) {
    append_npy(bytes_,
               has_reals_ ? std::bit_cast<std::int64_t>(static_cast<double>(number)) : number);
  };
  if (labels_.are_ids()) append(id_of(vertex));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const bool is_vertex = columns_[i].is_vertex && values[i] != no_value;
    columns_[i].is_real ? append_npy(bytes_, values[i])
                        : append(is_vertex ? id_of(values[i]) : values[i]);
  }
}

void vertex_rows::add_text(std::uint64_t vertex, std::span<const std::int64_t> values) {
  add_vertex(vertex);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    bytes_ += separator_of(style_);
    const auto value = static_cast<std::uint64_t>(values[i]);
    if (columns_[i].is_real)
      add_real(std::bit_cast<double>(value));
    else
      columns_[i].is_vertex ? add_vertex(value) : add_number(value);
  }
  bytes_ += '\n';
}

void vertex_rows::add_vertex(std::uint64_t vertex) {
  const auto name = labels_[vertex];
  name.empty() ? add_number(vertex) : append_name(bytes_, style_, name);
}

void vertex_rows::add_number(std::uint64_t number) {
  std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits;
  char* const end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  bytes_.append(digits.data(), end);
}

// Adds a number with the fewest digits that distinguish the number from all other doubles.
void vertex_rows::add_real(double number) {
  // The array has additional characters for the sign, the point and "e-308".
  std::array<char, std::numeric_limits<double>::max_digits10 + 8> text;
  char* const end = std::to_chars(text.begin(), text.end(), number).ptr;
  bytes_.append(text.data(), end);
}

}  // namespace graph
}  // namespace atl
