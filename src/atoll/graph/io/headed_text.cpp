#include "atoll/graph/io/headed_text.hpp"

#include "atoll/error.hpp"

#include <algorithm>

namespace atl::graph {
std::string_view line_fields::word() {
  const auto field = field_at(text_);
  text_ = skip_blanks(text_ + field.size());
  return field;
}

std::size_t line_fields::take_one_of(std::span<const std::string_view> words,
                                     std::string_view what) {
  const auto found = std::ranges::find(words, field_at(text_));
  if (found == words.end()) refuse(what);
  word();
  return static_cast<std::size_t>(found - words.begin());
}

std::uint64_t line_fields::count(std::string_view what) {
  const auto field = field_at(text_);
  std::uint64_t number = 0;
  const auto kind = read_vertex(field, number);
  if (kind == vertex_text::other) refuse(what);
  if (kind == vertex_text::out_of_range)
    throw blocks_.error_at(
        text_, fmt::format("{} {} is out of range (0 to {})", what, shown(field), largest_vertex));
  word();
  return number;
}

// Reads a vertex with leading zeros. Throws an error if the field is not a vertex.
std::uint64_t line_fields::unusual_vertex(std::string_view what, std::uint64_t vertices) {
  const auto field = field_at(text_);
  std::uint64_t number = 0;
  const auto kind = read_vertex(field, number);
  if (kind == vertex_text::other) refuse(what);
  if (kind == vertex_text::out_of_range || number - 1 >= vertices)
    throw blocks_.error_at(
        text_, fmt::format("{} {} is out of range (1 to {})", what, shown(field), vertices));
  word();
  return number - 1;
}

std::int64_t line_fields::read_weight(edge_list& list) {
  const auto weight = graph::read_weight(blocks_, field_at(text_), list);
  word();
  return weight;
}

void line_fields::add_weight(edge_list& list) {
  take_weight(blocks_, field_at(text_), list);
  word();
}

void line_fields::pass_number(std::string_view what) {
  if (read_weight_text(field_at(text_)).is == weight_text::other) refuse(what);
  word();
}

void line_fields::finish() const {
  if (!at_end()) refuse("the end of the line");
}

void line_fields::refuse(std::string_view what) const {
  throw blocks_.error_at(text_, fmt::format("expected {}, found {}", what, shown(field_at(text_))));
}

line_blocks whole_text(const input_file& file, compression packing, const read_options& options) {
  return {file, packing, {file.path(), 0, 1, options}};
}

std::string place_text(const line_blocks& blocks, const char* where) {
  const std::string with_colons = blocks.error_at(where, "").what();
  return with_colons.substr(0, with_colons.rfind(':'));
}

declared_size size_in_line(const line_blocks& blocks, const char* place, std::uint64_t vertices,
                           std::uint64_t edges, const char* unit) {
  declared_size declared{vertices, edges, place_text(blocks, place), "this line"};
  declared.unit = unit;
  return declared;
}

void refuse_beginning(const input_file& file, std::string_view sentence) {
  fail(errc::input, "{}:1:1: {}", file.path(), sentence);
}

void headed_source::describe(edge_list& list) const {
  list.declared = text_->declared();
  list.undirected = text_->undirected();
}

bool headed_source::read_some(edge_list& list) {
  const auto text = blocks_.next();
  if (text.empty()) return false;
  text_->read(blocks_, text, list);
  return true;
}

}  // namespace atl::graph
