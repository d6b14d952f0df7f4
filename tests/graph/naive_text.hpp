#pragma once
// The lines, columns and numbers of a text of edges, found as plainly as possible.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/file_format.hpp"

namespace naive {

using atl::edge;
using atl::edge_format;

/// A field, and the column in which it begins (from 1 on).
struct field {
  std::string text;
  std::size_t column;
};

using place = std::pair<std::uint64_t, std::size_t>;  // line and column, from 1 on

inline bool is_integer(const std::string& text) {
  const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
}

inline std::string without_zeros(const std::string& digits) {
  const auto first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

/// Compares integers without converting them: shorter is smaller.
inline bool at_most(const std::string& digits, const std::string& limit) {
  const auto number = without_zeros(digits);
  return number.size() != limit.size() ? number.size() < limit.size() : number <= limit;
}

inline bool is_vertex(const std::string& text) {
  return is_integer(text) && text[0] != '-' && at_most(text, "281474976710655");
}

inline bool is_weight(const std::string& text) {
  if (!is_integer(text)) return false;
  return text[0] == '-' ? at_most(text.substr(1), "9223372036854775808")
                        : at_most(text, "9223372036854775807");
}

/// Digits with a point or without, and an exponent or none; or nan or inf.
inline bool is_number(std::string text) {
  const auto after_sign = [](const std::string& signed_text) {
    return signed_text.substr(signed_text.find_first_of("+-") == 0 ? 1 : 0);
  };
  const auto are_digits = [](const std::string& digits) {
    return digits.find_first_not_of("0123456789") == std::string::npos;
  };
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto word = after_sign(text);
  if (word == "nan" || word == "inf" || word == "infinity") return true;
  const auto e = text.find('e');
  if (e != std::string::npos) {
    const auto exponent = after_sign(text.substr(e + 1));
    if (exponent.empty() || !are_digits(exponent)) return false;
  }
  auto mantissa = after_sign(text.substr(0, e));
  if (const auto point = mantissa.find('.'); point != std::string::npos) mantissa.erase(point, 1);
  return !mantissa.empty() && are_digits(mantissa);
}

inline std::string plain_integer(const std::string& text) {
  const bool negative = text[0] == '-';
  const auto digits = without_zeros(text.substr(negative ? 1 : 0));
  return negative && digits != "0" ? "-" + digits : digits;
}

/// A number as an integer of 64 bits; nothing where it is none.
inline std::optional<std::string> as_weight(const std::string& number) {
  const auto text = number.substr(number[0] == '+' ? 1 : 0);
  if (is_weight(text)) return plain_integer(text);
  const auto digits = text.find_first_of("0123456789");
  if (is_integer(text) || digits == std::string::npos) return std::nullopt;
  const double value = std::strtod(text.c_str(), nullptr);
  const bool exact = value >= -9007199254740992.0 && value <= 9007199254740992.0 &&
                     value == static_cast<double>(static_cast<std::int64_t>(value));
  // 1e-999 is not 0, though nothing else is as near to it.
  const auto mantissa = text.substr(0, text.find_first_of("eE"));
  const bool vanishes = value == 0 && mantissa.find_first_of("123456789") != std::string::npos;
  if (!exact || vanishes) return std::nullopt;
  return std::to_string(static_cast<std::int64_t>(value));
}

struct graph {
  std::optional<place> error;
  std::vector<std::pair<std::string, std::string>> ends;  // as integers without leading zeros
  std::vector<std::string> weights;
  std::uint64_t lines = 0;
  bool uses_names = false;
  bool weights_fault = false;             // weights are all kept or none
  std::optional<std::uint64_t> vertices;  // that a line of sizes gives
  std::uint64_t uneven_lines = 0;         // with another number of columns than the first

  void add_weight(const std::string& number) {
    const auto weight = as_weight(number);
    weights_fault |= !weight;
    weights.push_back(weight.value_or(""));
  }
};

inline bool is_name(const std::string& text) {
  if (text.size() > 65535) return false;
  for (const char c : text) {
    if ((c >= 0 && c < ' ') || c == '\x7f') return false;
  }
  return true;
}

inline std::vector<field> fields_of(const std::string& line) {
  std::vector<field> fields;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool blank = c == ' ' || c == '\t';
    if (!blank && (!inside || c == '\r')) fields.push_back({"", i + 1});
    if (!blank) fields.back().text += c;
    inside = !blank;
  }
  return fields;
}

/// Lines without the "\n" or the lone "\r" that ends them; the last one counts only if there is
/// something in it.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool lone = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || lone) {
      lines.push_back(line);
      line.clear();
    } else {
      line += text[i];
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

/// Columns that blanks, a comma or a semicolon separate, up to a comment behind the first.
inline std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  auto i = std::min(line.find_first_not_of(" \t"), line.size());
  while (i < line.size() && line[i] != '\r') {
    const bool comment = line[i] == '#' || line[i] == '%' || line.substr(i, 2) == "//";
    if (comment) break;
    auto from = i;
    if (line[i] == '"') {
      const auto quote = line.find('"', i + 1);
      if (quote != std::string::npos) from = quote + 1;
    }
    const auto end = std::min(line.find_first_of(" \t,;\r", from), line.size());
    columns.push_back(line.substr(i, end - i));
    i = std::min(line.find_first_not_of(" \t", end), line.size());
    if (i < line.size() && (line[i] == ',' || line[i] == ';'))
      i = std::min(line.find_first_not_of(" \t", i + 1), line.size());
  }
  return columns;
}

inline std::optional<std::pair<std::uint64_t, std::uint64_t>>
ends_of(const std::vector<std::string>& columns) {
  if (columns.size() < 2 || !is_vertex(columns[0]) || !is_vertex(columns[1])) return std::nullopt;
  return std::pair(std::stoull(columns[0]), std::stoull(columns[1]));
}

}  // namespace naive
