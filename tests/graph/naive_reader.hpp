#pragma once
// A simple reader of lists of edges. The reader splits the whole text into lines and fields. Tests
// expect that the library's readers have the same results as this simple reader.

#include "naive_text.hpp"

namespace naive {

/// The properties of a list of edges that its first lines determine.
struct first_lines {
  std::optional<std::size_t> titles;  // number of the line with the titles, from 0 on
  std::optional<std::size_t> sizes;
  std::uint64_t vertices = 0;
  std::size_t columns = 2;        // number of columns of the first line with an edge
  std::size_t weight_column = 0;  // column of the weights, or 0 if there are none
  // Column with the title of a weight, or 0 if no column has such a title.
  std::size_t titled_weight = 0;
};

class reader {
 public:
  reader(edge_format format, std::size_t longest_line)
      : format_(format), longest_line_(longest_line) {}

  graph read(const std::string& text) {
    const auto lines = lines_of(text);
    if (format_ == edge_format::tsv && pass(lines, false)) return done();
    pass(lines, format_ == edge_format::tsv);
    return done();
  }

 private:
  graph done() {
    if (result_.weights_fault) result_.weights.clear();
    return result_;
  }

  // Reads all lines as edges. The endpoints are names if `names` is true, and integers if `names`
  // is false. Returns false if the endpoints of a line do not have the form that `names` states.
  bool pass(const std::vector<std::string>& lines, bool names) {
    result_ = {};
    result_.uses_names = names;
    out_of_range_.reset();
    bom_ = !lines.empty() && lines[0].starts_with("\xef\xbb\xbf");
    look_at_first(lines, names);
    if (result_.error) return true;
    if (head_.sizes) result_.vertices = head_.vertices;
    for (const auto& line : lines) {
      ++result_.lines;
      if (!take(line)) return false;
      if (result_.error) return true;
    }
    result_.error = out_of_range_;
    return true;
  }

  bool is_too_long(const std::string& line) const { return line.size() >= longest_line_; }
  bool may_have_columns() const {
    return format_ == edge_format::txt || format_ == edge_format::csv ||
           format_ == edge_format::tsv;
  }

  /// Returns the line without a byte order mark and a trailing "\r", or nothing if the line has no
  /// edge.
  std::optional<std::string> with_edge(std::string line, bool is_first) const {
    if (line.ends_with('\r')) line.pop_back();
    if (is_first && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] == '#' || line[first] == '%') return std::nullopt;
    const bool published = format_ == edge_format::txt || format_ == edge_format::csv;
    if (published && line.substr(first, 2) == "//") return std::nullopt;
    return line;
  }

  void look_at_first(const std::vector<std::string>& lines, bool names) {
    head_ = {};
    std::vector<std::pair<std::size_t, std::string>> with_edges;
    bool unreadable = false;
    for (std::size_t i = 0; i < lines.size() && !unreadable; ++i) {
      unreadable = is_too_long(lines[i]);
      if (unreadable) break;
      if (const auto line = with_edge(lines[i], i == 0)) with_edges.emplace_back(i, *line);
    }
    if (with_edges.empty()) return;
    const bool may_have_titles = format_ == edge_format::csv || format_ == edge_format::tsv;
    std::size_t first = 0;
    const bool is_tsv = format_ == edge_format::tsv;
    const auto& top = with_edges[0].second;
    const bool begins = may_have_titles && begins_titles(top);
    if (begins && (is_tsv ? are_names(top) : is_text(top))) first = 1;
    const titles called(first == 1 ? columns_in(top) : std::vector<std::string>());
    head_.titled_weight = called.weight > 2 ? called.weight : 0;
    const bool numbers_follow =
        first < with_edges.size() && ends_of(columns_in(with_edges[first].second));
    bool names_follow = first == 1 && is_tsv && !numbers_follow;
    if (first == 1 && is_tsv && numbers_follow && std::ranges::count(top, '\t') > 1)
      names_follow = weight_column_in(with_edges[1].second) == 0;
    if (!called.have_ends() && (names_follow || (first == 1 && names)))
      return describe(with_edges[names_follow ? 0 : 1].second);
    if (first == 1) head_.titles = with_edges[0].first;
    if (first == 1 && called.have_ends() && std::max(called.source, called.target) > 2)
      result_.error = place(with_edges[0].first + 1, with_edges[0].first == 0 && bom_ ? 4 : 1);
    if (first == with_edges.size()) return;
    const bool begins_with_names = first == 0 && begins;
    describe(with_edges[first].second);
    if (names || unreadable || begins_with_names) return;
    find_sizes(with_edges, first);
  }

  /// Returns true if the line is valid when endpoints are names.
  static bool are_names(const std::string& line) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) return false;
    const auto end = std::min(line.find('\t', tab + 1), line.size());
    const auto from = trimmed(line, 0, tab).text, to = trimmed(line, tab + 1, end).text;
    return !from.empty() && !to.empty() && is_name(from) && is_name(to);
  }

  void describe(const std::string& line) {
    head_.columns = std::max<std::size_t>(columns_in(line).size(), 2);
    head_.weight_column = may_have_columns() ? weight_column_in(line) : 0;
  }

  std::size_t weight_column_in(const std::string& line) const {
    const auto columns = columns_in(line);
    const auto column = head_.titled_weight > 0 ? head_.titled_weight : 3;
    return columns.size() >= column && is_number(columns[column - 1]) ? column : 0;
  }

  std::vector<std::string> columns_in(const std::string& line) const {
    return format_ == edge_format::tsv ? tabbed_columns_of(line) : columns_of(line);
  }

  static bool is_text(const std::string& line) {
    return std::ranges::none_of(line, [](char c) { return c >= 0 && c < ' ' && c != '\t'; });
  }

  void find_sizes(const std::vector<std::pair<std::size_t, std::string>>& lines,
                  std::size_t first) {
    const auto stated = columns_in(lines[first].second);
    const auto ends = ends_of(stated);
    if (!ends || stated.size() > 3) return;
    if (format_ == edge_format::tsv && (stated.size() != 2 || !are_names(lines[first].second)))
      return;
    if (stated.size() == 3 && !is_vertex(stated[2])) return;
    const auto n = stated.size() == 3 ? std::max(ends->first, ends->second) : ends->first;
    const auto m = stated.size() == 3 ? std::stoull(stated[2]) : ends->second;
    if (m == 0 || lines.size() - first - 1 != m) return;
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    for (auto i = first + 1; i < lines.size(); ++i) {
      const auto of = ends_of(columns_in(lines[i].second));
      if (!of) return;
      least = std::min({least, of->first, of->second});
      most = std::max({most, of->first, of->second});
    }
    const bool from_0 = most < n, from_1 = most == n && least >= 1;
    const bool others = columns_in(lines[first + 1].second).size() != stated.size();
    if (!from_0 && !from_1) return;
    const bool two_below = columns_in(lines[first + 1].second).size() == 2;
    if (format_ == edge_format::tsv && !two_below) return;
    if (stated.size() == 3 && ends->first != ends->second && !others) return;
    if (from_1 && !others && m <= most) return;
    head_.sizes = lines[first].first;
    head_.vertices = n + (from_1 ? 1 : 0);
    describe(lines[first + 1].second);
  }

  bool take(std::string line) {
    if (is_too_long(line)) return wrong(1);
    std::size_t skipped = 0;
    if (line.ends_with('\r')) line.pop_back();
    if (result_.lines == 1 && line.starts_with("\xef\xbb\xbf")) skipped = 3;
    const auto rest = with_edge(line, result_.lines == 1);
    if (!rest || result_.lines - 1 == head_.titles || result_.lines - 1 == head_.sizes) return true;
    if (format_ == edge_format::txt || format_ == edge_format::csv)
      return take_published(*rest, skipped);
    return format_ == edge_format::tsv ? take_columns(*rest, skipped) : take_fields(*rest, skipped);
  }

  static bool begins_titles(std::string line) {
    line.erase(0, line.find_first_not_of(" \t"));
    const bool quoted = line[0] == '"' || line[0] == '\'';
    const char c = quoted && line.size() > 1 ? line[1] : line[0];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < 0 || c == '_';
  }

  // Reads the first two columns of a line. If the line begins with a separator, its first column is
  // empty.
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
    take_further(columns_of(line));
    return true;
  }

  /// Checks the number of columns of a line, and reads its weight.
  void take_further(const std::vector<std::string>& columns) {
    if (columns.size() != head_.columns) ++result_.uneven_lines;
    const auto column = head_.weight_column;
    if (column == 0) return;
    const bool has_weight = columns.size() >= column && is_number(columns[column - 1]);
    result_.weights_fault |= !has_weight;
    if (has_weight) result_.add_weight(columns[column - 1]);
  }

  bool take_fields(const std::string& line, std::size_t skipped) {
    const auto fields = fields_of(line);
    const std::size_t wanted = format_ == edge_format::wel ? 3 : 2;
    for (std::size_t i = 0; i < wanted; ++i) {
      if (i == fields.size()) return wrong(skipped + line.size() + 1);
      const bool good = i < 2 ? is_vertex(fields[i].text) : is_number(fields[i].text);
      if (!good) return wrong(skipped + fields[i].column);
    }
    if (fields.size() > wanted) return wrong(skipped + fields[wanted].column);
    result_.ends.emplace_back(without_zeros(fields[0].text), without_zeros(fields[1].text));
    if (wanted == 3) result_.add_weight(fields[2].text);
    return true;
  }

  bool take_columns(const std::string& line, std::size_t skipped) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos) return wrong(skipped + line.size() + 1);
    const auto from = trimmed(line, 0, tab);
    if (from.text.empty()) return wrong(skipped + 1);
    const auto third = line.find('\t', tab + 1);
    if (third != std::string::npos && head_.weight_column == 0) return wrong(skipped + third + 1);
    const auto to = trimmed(line, tab + 1, std::min(third, line.size()));
    if (to.text.empty()) return wrong(skipped + tab + 2);
    const bool same =
        result_.uses_names ? take_names(from, to, skipped) : take_numbers(from, to, skipped);
    if (!same || result_.error) return same;
    take_further(tabbed_columns_of(line));
    return true;
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
  bool bom_ = false;
  graph result_;
  std::optional<place> out_of_range_;
  first_lines head_;
};

inline graph read(const std::string& text, edge_format format,
                  std::size_t longest_line = std::size_t{1} << 20) {
  return reader(format, longest_line).read(text);
}

/// Returns (from, to, weight) of each edge, sorted, in the form that the tests compare.
inline std::vector<std::tuple<std::string, std::string, std::string>> sorted_edges(const graph& g) {
  std::vector<std::tuple<std::string, std::string, std::string>> edges;
  for (std::size_t i = 0; i < g.ends.size(); ++i) {
    edges.emplace_back(g.ends[i].first, g.ends[i].second, g.weights.empty() ? "" : g.weights[i]);
  }
  std::ranges::sort(edges);
  return edges;
}

}  // namespace naive
