#pragma once
// The fields of a line: where they end, and what they say; what a vertex may be called.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace atl::graph {

enum class vertex_text : std::uint8_t {
  number,        ///< an integer that a vertex may have
  out_of_range,  ///< another integer
  other          ///< not an integer
};

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }
constexpr bool is_comment(char c) { return c == '#' || c == '%'; }

constexpr bool ends_field(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

// Lines end in '\n', which stops all of these.

constexpr const char* skip_blanks(const char* text) {
  while (is_blank(*text)) ++text;
  return text;
}

/// The field that begins here.
std::string_view field_at(const char* text);

/// The beginning of the next line.
const char* next_line(const char* text);

/// A line without its end, given where it begins and where the next one does.
constexpr std::string_view without_end_of_line(const char* begin, const char* next) {
  std::string_view line(begin, static_cast<std::size_t>(next - begin) - 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// What follows the last field of a line: its end, with or without '\r'.
constexpr bool at_end_of_line(const char* text) {
  return *text == '\n' || (*text == '\r' && text[1] == '\n');
}

/// Understands a whole field as the number of a vertex; `number` is set if it is one.
vertex_text read_vertex(std::string_view field, std::uint64_t& number);

/// For errors: 'x', shortened and without control characters, or "the end of the line".
std::string shown(std::string_view field);

/// "expected an integer vertex id, found 'x'", or that the number is out of range.
std::string vertex_complaint(std::string_view field);

inline constexpr std::size_t longest_name = 65535;

/// Where a name goes wrong, and how.
struct name_fault {
  std::size_t position = 0;
  std::string_view complaint;  // empty: the name is fine
};

/// Names are text of at most `longest_name` bytes, without control characters.
name_fault fault_of_name(std::string_view name);

}  // namespace atl::graph
