#pragma once
// What the readers of edges must do, written as plainly as possible: the whole text at once, line
// by line, field by field.

#include <algorithm>
#include <cstdint>
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

struct graph {
  std::optional<place> error;
  std::vector<std::pair<std::string, std::string>> ends;  // as integers without leading zeros
  std::vector<std::string> weights;
  std::uint64_t lines = 0;
  bool uses_names = false;
};

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

class reader {
 public:
  reader(edge_format format, std::size_t longest_line)
      : format_(format), longest_line_(longest_line) {}

  graph read(const std::string& text) {
    const auto lines = lines_of(text);
    if (format_ == edge_format::tsv && pass(lines, false)) return result_;
    pass(lines, format_ == edge_format::tsv);
    return result_;
  }

 private:
  // Returns whether the ends are what `names` says.
  bool pass(const std::vector<std::string>& lines, bool names) {
    result_ = {};
    result_.uses_names = names;
    out_of_range_.reset();
    for (const auto& line : lines) {
      ++result_.lines;
      if (!take(line)) return false;
      if (result_.error) return true;
    }
    result_.error = out_of_range_;
    return true;
  }

  bool take(std::string line) {
    if (line.size() >= longest_line_) return wrong(1);
    std::size_t skipped = 0;
    if (line.ends_with('\r')) line.pop_back();
    if (result_.lines == 1 && line.starts_with("\xef\xbb\xbf")) skipped = 3;
    const auto rest = line.substr(skipped);
    const auto first = rest.find_first_not_of(" \t");
    if (first == std::string::npos || rest[first] == '#' || rest[first] == '%') return true;
    if (format_ == edge_format::txt || format_ == edge_format::csv) {
      if (rest.substr(first, 2) == "//") return true;
      const bool titles =
          !seen_first_ && format_ == edge_format::csv && begins_titles(rest.substr(first));
      seen_first_ = true;
      return titles ? true : take_published(rest, skipped);
    }
    return format_ == edge_format::tsv ? take_columns(rest, skipped) : take_fields(rest, skipped);
  }

  static bool begins_titles(const std::string& line) {
    const bool quoted = line[0] == '"' || line[0] == '\'';
    const char c = quoted && line.size() > 1 ? line[1] : line[0];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < 0 || c == '_';
  }

  // Up to two columns, an empty one where a separator stands first.
  bool take_published(const std::string& line, std::size_t skipped) {
    std::vector<std::string> ends;
    std::size_t i = line.find_first_not_of(" \t");
    while (ends.size() < 2) {
      const auto end = std::min(line.find_first_of(" \t,;\r", i), line.size());
      const auto text = line.substr(i, end - i);
      if (!is_vertex(text)) return wrong(skipped + i + 1);
      ends.push_back(without_zeros(text));
      i = std::min(line.find_first_not_of(" \t", end), line.size());
      if (i < line.size() && (line[i] == ',' || line[i] == ';'))
        i = std::min(line.find_first_not_of(" \t", i + 1), line.size());
    }
    result_.ends.emplace_back(ends[0], ends[1]);
    return true;
  }

  bool take_fields(const std::string& line, std::size_t skipped) {
    const auto fields = fields_of(line);
    const std::size_t wanted = format_ == edge_format::wel ? 3 : 2;
    for (std::size_t i = 0; i < wanted; ++i) {
      if (i == fields.size()) return wrong(skipped + line.size() + 1);
      const bool good = i < 2 ? is_vertex(fields[i].text) : is_weight(fields[i].text);
      if (!good) return wrong(skipped + fields[i].column);
    }
    if (fields.size() > wanted) return wrong(skipped + fields[wanted].column);
    result_.ends.emplace_back(without_zeros(fields[0].text), without_zeros(fields[1].text));
    if (wanted == 3) result_.weights.push_back(plain_weight(fields[2].text));
    return true;
  }

  static std::string plain_weight(const std::string& text) {
    const bool negative = text[0] == '-';
    const auto digits = without_zeros(text.substr(negative ? 1 : 0));
    return negative && digits != "0" ? "-" + digits : digits;
  }

  bool take_columns(const std::string& line, std::size_t skipped) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) return wrong(skipped + line.size() + 1);
    const auto from = trimmed(line, 0, tab);
    if (from.text.empty()) return wrong(skipped + 1);
    const auto third = line.find('\t', tab + 1);
    if (third != std::string::npos) return wrong(skipped + third + 1);
    const auto to = trimmed(line, tab + 1, line.size());
    if (to.text.empty()) return wrong(skipped + tab + 2);
    return result_.uses_names ? take_names(from, to, skipped) : take_numbers(from, to, skipped);
  }

  static field trimmed(const std::string& line, std::size_t begin, std::size_t end) {
    while (begin < end && line[begin] == ' ') ++begin;
    while (begin < end && line[end - 1] == ' ') --end;
    return {line.substr(begin, end - begin), begin + 1};
  }

  bool take_names(const field& from, const field& to, std::size_t skipped) {
    for (const auto* name : {&from, &to}) {
      if (!is_name(name->text)) return wrong(skipped + name->column + fault(name->text));
    }
    result_.ends.emplace_back(from.text, to.text);
    return true;
  }

  static std::size_t fault(const std::string& name) {
    std::size_t good = 0;
    while (name.size() <= 65535 && is_name(name.substr(good, 1))) ++good;
    return good;
  }

  bool take_numbers(const field& from, const field& to, std::size_t skipped) {
    for (const auto* number : {&from, &to}) {
      if (!is_integer(number->text)) return false;
      if (!is_vertex(number->text) && !out_of_range_) {
        out_of_range_ = place(result_.lines, skipped + number->column);
      }
    }
    result_.ends.emplace_back(without_zeros(from.text), without_zeros(to.text));
    return true;
  }

  bool wrong(std::size_t column) {
    result_.error = place(result_.lines, column);
    return true;
  }

  edge_format format_;
  std::size_t longest_line_;
  graph result_;
  std::optional<place> out_of_range_;
  bool seen_first_ = false;  // line that is neither blank nor a comment
};

inline graph read(const std::string& text, edge_format format,
                  std::size_t longest_line = std::size_t{1} << 20) {
  return reader(format, longest_line).read(text);
}

/// From, to and weight, as the tests compare them.
inline std::vector<std::tuple<std::string, std::string, std::string>> sorted_edges(const graph& g) {
  std::vector<std::tuple<std::string, std::string, std::string>> edges;
  for (std::size_t i = 0; i < g.ends.size(); ++i) {
    edges.emplace_back(g.ends[i].first, g.ends[i].second, g.weights.empty() ? "" : g.weights[i]);
  }
  std::ranges::sort(edges);
  return edges;
}

}  // namespace naive
