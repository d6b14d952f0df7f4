#include "atoll/graph/io/field.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/edge.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace atl::graph {

std::string_view field_at(const char* text) {
  const char* end = text;
  if (!is_blank(*end) && !at_end_of_line(end)) {
    do ++end;
    while (!ends_field(*end));
  }
  return {text, static_cast<std::size_t>(end - text)};
}

const char* next_line(const char* text) {
  return static_cast<const char*>(::rawmemchr(text, '\n')) + 1;
}

vertex_text read_vertex(std::string_view field, std::uint64_t& number) {
  const bool negative = field.starts_with('-');
  if (negative) field.remove_prefix(1);
  if (field.empty() || !std::ranges::all_of(field, is_digit)) return vertex_text::other;
  std::uint64_t value = 0;
  const auto status = std::from_chars(field.data(), field.data() + field.size(), value).ec;
  if (negative || status != std::errc{} || value > largest_vertex) return vertex_text::out_of_range;
  number = value;
  return vertex_text::number;
}

std::string shown(std::string_view field) {
  constexpr std::size_t longest = 32;
  if (field.empty()) return "the end of the line";
  std::string text = "'";
  for (const char c : field.substr(0, longest)) {
    const bool printable = c >= ' ' && c <= '~';
    text += printable ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text + (field.size() > longest ? "...'" : "'");
}

std::string vertex_complaint(std::string_view field) {
  std::uint64_t ignored = 0;
  if (read_vertex(field, ignored) == vertex_text::out_of_range) {
    return fmt::format("vertex id {} is out of range (0 to {})", shown(field), largest_vertex);
  }
  return fmt::format("expected an integer vertex id, found {}", shown(field));
}

name_fault fault_of_name(std::string_view name) {
  if (name.size() > longest_name) return {0, "the name is longer than 65535 bytes"};
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  const auto found = std::ranges::find_if(name, is_control);
  if (found == name.end()) return {};
  return {static_cast<std::size_t>(found - name.begin()),
          "the name holds a control character: is the file text?"};
}

}  // namespace atl::graph
