// The format Matrix Market: a sparse matrix, each entry of which is an edge from the row to the
// column. If the matrix is not square, the graph has as many vertices as the longer side. Edges of
// a symmetric matrix have no direction. A file of a symmetric matrix should contain only the lower
// triangle. Many files contain entries above the diagonal too, and all entries become edges.

#include "atoll/graph/io/headed_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace atl::graph {
namespace {

constexpr std::string_view k_banner = "%%matrixmarket";
// Some programs write the first line, the banner, with only one %.
constexpr std::string_view k_short_banner = k_banner.substr(1);

bool is_same_word(std::string_view word, std::string_view lower_case) {
  return std::ranges::equal(word, lower_case, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
  });
}

/// Takes the next field, which must be one of the words. Returns the value that belongs to the
/// word.
template <class Value, std::size_t Count>
Value one_of(line_fields& fields,
             const std::array<std::pair<std::string_view, Value>, Count>& words,
             std::string_view expected) {
  line_fields seen = fields;
  const auto word = fields.word();
  for (const auto& [name, value] : words) {
    if (is_same_word(word, name)) return value;
  }
  seen.refuse(expected);
}

// Returns true for a line without data: a comment, or only blanks.
bool is_passed_over(const char* line) {
  const char* const text = skip_blanks(line);
  return *text == '%' || at_end_of_line(text);
}

bool begins_as_matrix_market(std::string_view text) {
  return is_same_word(text.substr(0, k_banner.size()), k_banner) ||
         is_same_word(text.substr(0, k_short_banner.size()), k_short_banner);
}

class matrix_text final : public headed_text {
 public:
  /// Reads the head. Throws `error` (input) if the head is invalid, or if the matrix is dense or
  /// complex.
  matrix_text(const input_file& file, compression packing, const read_options& options);

  void read(const line_blocks& blocks, std::string_view text, edge_list& list) const override;

 private:
  enum class symmetry : std::uint8_t { general, symmetric, skew };

  void read_banner(const line_blocks& blocks, const char* line);
  void read_size(const line_blocks& blocks, const char* line);
  void read_entry(const line_blocks& blocks, const char* line, edge_list& list) const;

  bool weighted_ = false;
  symmetry symmetry_ = symmetry::general;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::uint64_t first_entry_ = 0;  // offset in the text where entries begin
};

matrix_text::matrix_text(const input_file& file, compression packing, const read_options& options) {
  bool has_banner = false;
  const auto take = [&](const line_blocks& blocks, const char* line) {
    if (!std::exchange(has_banner, true)) {
      read_banner(blocks, line);
      return false;
    }
    if (is_passed_over(line)) return false;
    read_size(blocks, line);
    return true;
  };
  const auto end = read_first_lines(file, packing, options, take);
  if (!has_banner) refuse_beginning(file, "expected '%%MatrixMarket matrix', found an empty file");
  if (!end) refuse_beginning(file, "the file ends before the line of rows, columns and entries");
  first_entry_ = *end;
  undirected_ = symmetry_ != symmetry::general;
}

void matrix_text::read_banner(const line_blocks& blocks, const char* line) {
  static constexpr std::array banner = {std::pair{k_banner, 0}, std::pair{k_short_banner, 0}};
  static constexpr std::array object = {std::pair{std::string_view("matrix"), 0}};
  static constexpr std::array shape = {std::pair{std::string_view("coordinate"), 0}};
  static constexpr std::array fields_of_entries = {
      std::pair{std::string_view("pattern"), false}, std::pair{std::string_view("integer"), true},
      std::pair{std::string_view("unsigned-integer"), true},
      std::pair{std::string_view("real"), true}, std::pair{std::string_view("double"), true}};
  static constexpr std::array symmetries = {
      std::pair{std::string_view("general"), symmetry::general},
      std::pair{std::string_view("symmetric"), symmetry::symmetric},
      std::pair{std::string_view("skew-symmetric"), symmetry::skew}};
  line_fields fields(blocks, line);
  one_of(fields, banner, "'%%MatrixMarket'");
  one_of(fields, object, "'matrix'");
  one_of(fields, shape, "'coordinate', as a graph is a sparse matrix");
  weighted_ = one_of(fields, fields_of_entries, "'pattern', 'integer' or 'real'");
  symmetry_ = one_of(fields, symmetries, "'general', 'symmetric' or 'skew-symmetric'");
  fields.finish();
}

void matrix_text::read_size(const line_blocks& blocks, const char* line) {
  line_fields fields(blocks, line);
  rows_ = fields.count("the number of rows");
  const char* const place_of_columns = fields.place();
  columns_ = fields.count("the number of columns");
  if (symmetry_ != symmetry::general && rows_ != columns_)
    throw blocks.error_at(
        place_of_columns,
        fmt::format("a matrix of {} rows and {} columns is not symmetric, as the first line says",
                    rows_, columns_));
  const char* const place = fields.place();
  const auto entries = fields.count("the number of entries");
  fields.finish();
  declared_ = size_in_line(blocks, place, std::max(rows_, columns_), entries, "entries");
}

void matrix_text::read(const line_blocks& blocks, std::string_view text, edge_list& list) const {
  for_each_line(blocks, text, list, [&](const char* line) {
    const bool in_head = blocks.offset_of(line) < first_entry_;
    if (!in_head && !is_passed_over(line)) read_entry(blocks, line, list);
  });
}

void matrix_text::read_entry(const line_blocks& blocks, const char* line, edge_list& list) const {
  line_fields fields(blocks, line);
  const char* const place = fields.place();
  edge entry{};
  entry.from = fields.vertex("row", rows_);
  entry.to = fields.vertex("column", columns_);
  if (symmetry_ == symmetry::skew && entry.from == entry.to)
    throw blocks.error_at(place, "the entry lies on the diagonal, which is 0 where a matrix is "
                                 "skew-symmetric");
  if (weighted_) fields.add_weight(list);
  fields.finish();
  list.edges.push_back(entry);
}

}  // namespace

likeness begins_matrix(const file_beginning& beginning) {
  return begins_as_matrix_market(beginning.text) ? likeness::certain : likeness::none;
}

std::unique_ptr<part_source> open_matrix(const file_part& which, file_format format) {
  return open_headed<matrix_text>(which, format);
}

edge_lines matrix_lines(const graph_outline& outline) {
  const auto n = outline.vertices, m = outline.edges;
  return {fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n",
                      !outline.weighted      ? "pattern"
                      : outline.real_weights ? "real"
                                             : "integer",
                      outline.undirected ? "symmetric" : "general", n, n, m),
          "", ' ', 1, outline.undirected};
}

}  // namespace atl::graph
