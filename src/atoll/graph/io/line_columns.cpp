#include "atoll/graph/io/line_columns.hpp"

namespace atl::graph {
namespace {

constexpr bool ends_column(char c) { return ends_field(c) || is_separator(c); }

/// Behind a column in quotes, which may hold separators; at its beginning where no quote ends it.
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

}  // namespace atl::graph
