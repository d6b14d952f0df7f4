#pragma once
// Finds the fields of a line, parses the numbers of vertices, and checks the names of vertices.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace atl::graph {

enum class vertex_text : std::uint8_t {
  number,        ///< an integer that is the number of a vertex
  out_of_range,  ///< an integer that is too large for a vertex
  other          ///< anything else
};

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }
constexpr bool is_comment(char c) { return c == '#' || c == '%'; }

constexpr bool ends_field(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

// Lines end in '\n'. The functions below stop at the '\n' of a line.

constexpr const char* skip_blanks(const char* text) {
  while (is_blank(*text)) ++text;
  return text;
}

/// Returns the field that begins at `text`.
std::string_view field_at(const char* text);

/// Returns the beginning of the next line.
const char* next_line(const char* text);

/// Returns a line without its end. The arguments are the beginnings of the line and of the next
/// line.
constexpr std::string_view without_end_of_line(const char* begin, const char* next) {
  std::string_view line(begin, static_cast<std::size_t>(next - begin) - 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Returns true at the end of a line, with or without '\r'.
constexpr bool at_end_of_line(const char* text) {
  return *text == '\n' || (*text == '\r' && text[1] == '\n');
}

/// Parses a whole field as the number of a vertex. If the field is the number of a vertex, stores
/// the number in `number`.
vertex_text read_vertex(std::string_view field, std::uint64_t& number);

/// Returns the field as a text for errors: 'x', shortened and without control characters, or "the
/// end of the line".
std::string shown(std::string_view field);

/// Returns the text of an error: "expected an integer vertex id, found 'x'", or that the number is
/// out of range.
std::string vertex_complaint(std::string_view field);

inline constexpr std::size_t longest_name = 65535;

/// The position of an error in a name, and its description.
struct name_fault {
  std::size_t position = 0;
  std::string_view complaint;  // the description; empty if the name has no error
};

/// Returns the first error in a name. A name has at most `longest_name` bytes and no control
/// characters.
name_fault fault_of_name(std::string_view name);

// Integers of up to eight digits are parsed without a loop over the digits.

/// The digits with which a text begins.
class leading_digits {
 public:
  /// Reads eight bytes from `text` on. All eight bytes must be readable memory.
  explicit leading_digits(const char* text) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text, sizeof(bytes));
    values_ = bytes ^ each(0x30);
    // Computes a word whose bytes have the upper bit set where the text has no digit. For a value
    // of 10 or more, the addition carries into the upper bit. A character that is not ASCII has the
    // upper bit set already.
    const auto others = (((values_ & each(0x7f)) + each(0x76)) | values_) & each(0x80);
    count_ = static_cast<unsigned>(std::countr_zero(others)) / 8;
  }

  /// Returns the number of digits, at most 8.
  unsigned count() const { return count_; }

  /// Returns the value of the digits, if there are 1 to 8 digits.
  std::uint64_t value() const {
    // Zeros are added in front to make eight digits. The first digit is in the lowest byte. Each
    // step combines pairs of neighbouring numbers into one number.
    const auto ones = values_ << (64 - 8 * count_);
    const auto twos = (ones * 10 + (ones >> 8)) & 0x00ff'00ff'00ff'00ff;
    const auto fours = (twos * 100 + (twos >> 16)) & 0x0000'ffff'0000'ffff;
    return (fours * 10000 + (fours >> 32)) & 0xffff'ffff;
  }

 private:
  static constexpr std::uint64_t each(std::uint64_t byte) { return byte * 0x0101'0101'0101'0101; }

  std::uint64_t values_ = 0;
  unsigned count_ = 0;
};

}  // namespace atl::graph
