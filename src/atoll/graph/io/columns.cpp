#include "atoll/graph/io/columns.hpp"

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/list_text.hpp"
#include "atoll/graph/io/weight_text.hpp"

#include <algorithm>

namespace atl::graph {
namespace {

constexpr bool ends_column(char c) { return ends_field(c) || is_separator(c); }

/// Returns the end of a quoted column, which may contain separators. If no quote ends the column,
/// returns the beginning of the column.
const char* end_of_quoted(const char* text) {
  const char* end = text + 1;
  while (*end != '"' && *end != '\n') ++end;
  return *end == '"' ? end + 1 : text;
}

}  // namespace

bool begins_title(const char* text) {
  if (*text == '"' || *text == '\'') ++text;
  const char c = *text;
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

const char* first_column(const char* line) {
  const char* text = skip_blanks(line);
  return begins_comment(text) || at_end_of_line(text) ? nullptr : text;
}

const char* line_columns::end_of_column() const {
  const char* end = *text_ == '"' ? end_of_quoted(text_) : text_;
  while (!ends_column(*end) || is_decimal_comma(end)) ++end;
  return end;
}

bool line_columns::is_decimal_comma(const char* text) const {
  const bool may_be = *text == ',' && taken_ >= 2 && separator_ != ',' && text != text_;
  return may_be && is_digit(text[-1]) && is_digit(text[1]);
}

std::string_view line_columns::next() {
  const char* const begin = text_;
  const char* const end = end_of_column();
  text_ = skip_blanks(end);
  const bool separated = is_separator(*text_);
  if (taken_++ == 0) separator_ = *text_;
  if (separated) text_ = skip_blanks(text_ + 1);
  return {begin, static_cast<std::size_t>(end - begin)};
}

// This part reads the formats .txt and .csv, in which many graphs are published. The first two
// columns of a line are integers: the endpoints of an edge. Lines that begin with #, % or // are
// comments.

namespace {

std::uint64_t read_id(const line_blocks& blocks, std::string_view column) {
  std::uint64_t id = 0;
  if (read_vertex(column, id) == vertex_text::number) return id;
  // The error for an empty column is reported at the separator after the column.
  const bool empty = column.empty() && is_separator(*column.data());
  throw blocks.error_at(column.data(),
                        vertex_complaint(empty ? std::string_view(column.data(), 1) : column));
}

std::string called_column(std::uint64_t number) {
  return number == 3 ? "third column" : fmt::format("column number {}", number);
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

void further_columns::read_them(const char* line, line_columns columns) {
  std::uint64_t count = 2;
  while (!columns.at_end()) {
    const auto column = columns.next();
    if (++count == head_.weight_column) take_weight(column);
  }
  const char* const end = columns.place();
  if (count < head_.weight_column) take_weight(std::string_view(end, end));
  compare_count(line, count);
}

void further_columns::read_tabbed(std::string_view line, std::optional<std::string_view> rest) {
  std::uint64_t count = 2;
  while (rest) {
    const auto tab = rest->find('\t');
    const auto column = rest->substr(0, tab);
    if (++count == head_.weight_column) take_weight(without_blanks(column));
    if (tab == rest->npos) break;
    rest->remove_prefix(tab + 1);
  }
  if (count < head_.weight_column) take_weight(line.substr(line.size()));
  compare_count(line.data(), count);
}

// Takes the weight of a line. If the column has no number, the line has no weight. If the user has
// requested weights, a line without a weight is an error.
void further_columns::take_weight(std::string_view column) {
  const bool is_number = read_weight_text(column).is != weight_text::other;
  if (is_number || head_.weights_are_asked_for) {
    graph::take_weight(blocks_, column, list_);
  } else if (!list_.has_lost_weights()) {
    lose_weights(list_, blocks_.error_at(
                            column.data(),
                            fmt::format("the {} holds weights in the first line with an edge, and "
                                        "none here: {}",
                                        called_column(head_.weight_column), shown(column))));
  }
}

void further_columns::compare_count(const char* line, std::uint64_t count) {
  list_.columns = std::max(list_.columns, count);
  if (count == head_.columns) return;
  if (list_.uneven_lines++ > 0) return;
  list_.first_uneven = blocks_.error_at(
      line, fmt::format("the line has {} columns, and the first line with an edge {}", count,
                        head_.columns));
}

namespace {

class columns_source final : public list_source {
 public:
  using list_source::list_source;

 private:
  void parse(std::string_view text, edge_list& list) override {
    further_columns further(blocks(), head(), list);
    const char* end = text.data() + text.size();
    for (const char* line = text.data(); line != end; ++list.lines, line = next_line(line)) {
      const char* first = first_column(line);
      if (first == nullptr) continue;
      line_columns columns(first);
      const auto from = read_id(blocks(), columns.next());
      const auto to = read_id(blocks(), columns.next());
      list.edges.push_back({from, to});
      further.read(line, columns);
    }
    make_room_for_rest(list, blocks().progress());
  }
};

}  // namespace

std::unique_ptr<part_source> open_columns(const file_part& which, file_format format) {
  return std::make_unique<columns_source>(which, format);
}

}  // namespace atl::graph
