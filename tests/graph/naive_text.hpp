#pragma once
// Splits a text of edges into lines, columns and numbers, as simply as possible.

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

/// The text of a field, and the column where it begins, counted from 1.
struct field {
  std::string text;
  std::size_t column;
};

using place = std::pair<std::uint64_t, std::size_t>;  // a line and a column, both counted from 1

inline bool is_integer(const std::string& text) {
  const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
}

inline std::string without_zeros(const std::string& digits) {
  const auto first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

/// Compares integers as text without leading zeros: the shorter integer is smaller.
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

inline std::string in_lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Returns the position of the letter of an exponent. The letter is e. In a number with a point and
/// without an e, the letter can also be d.
inline std::size_t place_of_exponent(const std::string& number) {
  const auto e = number.find('e');
  const auto point = number.find('.');
  return e == std::string::npos && point != std::string::npos ? number.find('d', point) : e;
}

/// Returns true if the text is a number. A number has digits, at most one point or comma, and at
/// most one exponent, or is nan or inf.
inline bool is_number(std::string text) {
  const auto after_sign = [](const std::string& signed_text) {
    return signed_text.substr(signed_text.find_first_of("+-") == 0 ? 1 : 0);
  };
  const auto are_digits = [](const std::string& digits) {
    return digits.find_first_not_of("0123456789") == std::string::npos;
  };
  text = in_lower_case(text);
  const auto word = after_sign(text);
  if (word == "nan" || word == "inf" || word == "infinity") return true;
  if (const auto comma = text.find(','); comma != std::string::npos) {
    if (text.find('.') != std::string::npos) return false;
    text[comma] = '.';
  }
  const auto e = place_of_exponent(text);
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

/// Returns the number as an integer of 64 bits, or nothing if it is no such integer.
inline std::optional<std::string> as_weight(const std::string& number) {
  const auto text = in_lower_case(number.substr(number[0] == '+' ? 1 : 0));
  const auto e = place_of_exponent(text);
  auto digits = text.substr(0, e);
  if (digits.find_first_of("0123456789") == std::string::npos) return std::nullopt;
  if (digits.find(',') != std::string::npos) return std::nullopt;
  constexpr long long beyond_all = 1'000'000;
  auto power = e == std::string::npos ? 0
                                      : std::clamp(std::strtoll(text.c_str() + e + 1, nullptr, 10),
                                                   -beyond_all, beyond_all);
  if (const auto point = digits.find('.'); point != std::string::npos) {
    power -= static_cast<long long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  for (; digits.size() > 1 && digits.back() == '0'; ++power) digits.pop_back();
  if (digits.find_first_of("123456789") == std::string::npos) return "0";
  if (power < 0 || power > 20) return std::nullopt;
  digits.append(static_cast<std::size_t>(power), '0');
  return is_weight(digits) ? std::optional(plain_integer(digits)) : std::nullopt;
}

struct graph {
  std::optional<place> error;
  // the endpoints of each edge, as integers without leading zeros
  std::vector<std::pair<std::string, std::string>> ends;
  std::vector<std::string> weights;
  std::uint64_t lines = 0;
  bool uses_names = false;
  // True if the weight of some line is missing or no integer; in this case, no weights are kept.
  bool weights_fault = false;
  std::optional<std::uint64_t> vertices;  // the number of vertices, if a line of sizes gives it
  // number of lines that have more or fewer columns than the first line
  std::uint64_t uneven_lines = 0;

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

/// Returns the lines without the "\n", "\r\n" or lone "\r" that ends them. The last line is
/// returned only if it is not empty.
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

/// Returns true if position `place` of the line is a comma between two digits.
inline bool is_between_digits(const std::string& line, std::size_t place) {
  const auto is_digit = [&](std::size_t i) { return line[i] >= '0' && line[i] <= '9'; };
  return place + 1 < line.size() && line[place] == ',' && is_digit(place - 1) &&
         is_digit(place + 1);
}

/// Returns the columns of a line. Blanks, commas and semicolons separate columns, and a comment may
/// follow the first column. If no comma separates the first two columns, a comma between digits is
/// part of a later column.
inline std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  bool comma_separates = true;
  auto i = std::min(line.find_first_not_of(" \t"), line.size());
  while (i < line.size() && line[i] != '\r') {
    const bool comment = line[i] == '#' || line[i] == '%' || line.substr(i, 2) == "//";
    if (comment) break;
    auto from = i;
    if (line[i] == '"') {
      const auto quote = line.find('"', i + 1);
      if (quote != std::string::npos) from = quote + 1;
    }
    auto end = std::min(line.find_first_of(" \t,;\r", from), line.size());
    while (!comma_separates && columns.size() >= 2 && end > i && is_between_digits(line, end))
      end = std::min(line.find_first_of(" \t,;\r", end + 1), line.size());
    columns.push_back(line.substr(i, end - i));
    i = std::min(line.find_first_not_of(" \t", end), line.size());
    if (columns.size() == 1) comma_separates = i < line.size() && line[i] == ',';
    if (i < line.size() && (line[i] == ',' || line[i] == ';'))
      i = std::min(line.find_first_not_of(" \t", i + 1), line.size());
  }
  return columns;
}

/// Returns the columns that tabs separate, without surrounding blanks.
inline std::vector<std::string> tabbed_columns_of(std::string line) {
  line.erase(0, line.find_first_not_of(" \t"));
  std::vector<std::string> columns(1);
  for (const char c : line)
    if (c == '\t')
      columns.emplace_back();
    else
      columns.back() += c;
  for (auto& column : columns) {
    column.erase(0, std::min(column.find_first_not_of(' '), column.size()));
    column.erase(column.find_last_not_of(' ') + 1);
  }
  return columns;
}

/// For each title, the number of its column from 1 on, or 0 if no column has the title.
struct titles {
  std::size_t source = 0, target = 0, weight = 0;

  explicit titles(const std::vector<std::string>& columns) {
    for (std::size_t i = columns.size(); i > 0; --i) {
      std::string word;
      for (const char c : in_lower_case(columns[i - 1]))
        if (c >= 'a' && c <= 'z') word += c;
      for (const std::string kind : {"id", "node", "vertex"})
        if (word.size() > kind.size() && word.ends_with(kind))
          word.erase(word.size() - kind.size());
      if (word == "source" || word == "src" || word == "from") source = i;
      for (const auto* one : {"target", "tgt", "dst", "dest", "destination", "to"})
        if (word == one) target = i;
      if (word == "weight" || word == "weights") weight = i;
    }
  }

  bool have_ends() const { return source > 0 && target > 0; }
};

inline std::optional<std::pair<std::uint64_t, std::uint64_t>>
ends_of(const std::vector<std::string>& columns) {
  if (columns.size() < 2 || !is_vertex(columns[0]) || !is_vertex(columns[1])) return std::nullopt;
  return std::pair(std::stoull(columns[0]), std::stoull(columns[1]));
}

}  // namespace naive
