#pragma once
// The fields of a line: where they end, and what they say; what a vertex may be called.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

// Integers of up to eight digits, read without a step for each of them.

/// The digits that a text begins with.
class leading_digits {
 public:
  /// Eight bytes must be readable from `text` on.
  explicit leading_digits(const char* text) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text, sizeof(bytes));
    values_ = bytes ^ each(0x30);
    // The upper bit of a byte is set where it is no digit: 10 and more carry into it, and it may
    // have been set before.
    const auto others = (((values_ & each(0x7f)) + each(0x76)) | values_) & each(0x80);
    count_ = static_cast<unsigned>(std::countr_zero(others)) / 8;
  }

  /// 8 where there are eight or more.
  unsigned count() const { return count_; }

  /// Of 1 to 8 digits.
  std::uint64_t value() const {
    // With zeros in front to eight digits; the first stands in the lowest byte. Two neighbours at a
    // time become one number.
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
