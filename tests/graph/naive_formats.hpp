#pragma once
// Simple readers of the graph formats that have a header. Tests expect that the library's readers
// have the same results as the simple readers.

#include "naive_headed.hpp"

#include <map>
#include <utility>

namespace naive {

class matrix_reader final : public headed_reader {
 public:
  using headed_reader::headed_reader;

 private:
  void take(const std::string& line) override {
    split(line);
    if (this->line() == 1) {
      take_banner();
    } else if (at_end() || peek().text[0] == '%') {
      return;
    } else if (!has_size_) {
      take_size();
    } else {
      take_entry();
    }
  }

  void take_banner() {
    take_word({"%%matrixmarket", "%matrixmarket"});
    take_word({"matrix"});
    take_word({"coordinate"});
    take_word({"pattern", "integer", "unsigned-integer", "real", "double"});
    kind_ = word();
    take_word({"general", "symmetric", "skew-symmetric"});
    symmetry_ = word();
    take_end();
  }

  void take_size() {
    rows_ = take_count();
    const auto column = peek().column;
    columns_ = take_count();
    if (symmetry_ != "general" && rows_ != columns_) refuse(column);
    size_at_ = {line(), peek().column};
    entries_ = take_count();
    take_end();
    has_size_ = true;
  }

  void take_entry() {
    const auto column = peek().column;
    const auto row = take_id(rows_), col = take_id(columns_);
    if (symmetry_ == "skew-symmetric" && row == col) refuse(column);
    if (kind_ != "pattern") take_weight();
    take_end();
    add(row, col);
  }

  void finish() override {
    if (!has_size_) refuse_file();
    if (entries_ != edges()) throw wrong_at{size_at_};
  }

  bool has_size_ = false;
  std::string kind_, symmetry_;
  std::uint64_t rows_ = 0, columns_ = 0, entries_ = 0;
  place size_at_;
};

class dimacs_reader final : public headed_reader {
 public:
  using headed_reader::headed_reader;

 private:
  void take(const std::string& line) override {
    split(line);
    if (at_end() || peek().text[0] == 'c') return;
    if (has_size_) return take_arc();
    take_exactly("p");
    take_exactly("sp");
    vertices_ = take_count();
    size_at_ = {this->line(), peek().column};
    arcs_ = take_count();
    take_end();
    has_size_ = true;
  }

  void take_arc() {
    take_exactly("a");
    const auto from = take_id(vertices_), to = take_id(vertices_);
    take_weight();
    take_end();
    add(from, to);
  }

  void finish() override {
    if (!has_size_) refuse_file();
    if (arcs_ != edges()) throw wrong_at{size_at_};
  }

  bool has_size_ = false;
  std::uint64_t vertices_ = 0, arcs_ = 0;
  place size_at_;
};

class konect_reader final : public headed_reader {
 public:
  using headed_reader::headed_reader;

 private:
  static constexpr std::uint64_t most_ = (std::uint64_t{1} << 48) - 1;

  // Finds the largest first endpoint of all edges. The search ends at the first line without an
  // endpoint.
  void prepare(const std::string& text) override {
    // The first line is never an edge; a UTF-8 byte order mark may precede its percent sign.
    bool is_first = true;
    for (const auto& line : lines_of(text)) {
      if (line.size() >= longest_line()) return;
      if (std::exchange(is_first, false)) continue;
      const auto fields = fields_of(line);
      if (fields.empty() || fields[0].text == "\r" || fields[0].text[0] == '%') continue;
      const auto& id = fields[0].text;
      if (!is_vertex(id) || without_zeros(id) == "0") return;
      most_left_ = std::max<std::uint64_t>(most_left_, std::stoull(id));
    }
  }

  void take(const std::string& line) override {
    split(line);
    if (this->line() == 1) return take_kind();
    if (this->line() == 2 && is_size()) return take_size();
    if (!at_end() && peek().text[0] != '%') take_edge();
  }

  void take_kind() {
    take_exactly("%");
    take_one({"sym", "asym", "bip"});
    shape_ = word();
    take_one({"unweighted", "positive", "posweighted", "signed", "multisigned", "weighted",
              "multiweighted", "dynamic", "multiposweighted"});
    kind_ = word();
    take_end();
  }

  bool is_size() const {
    const auto& all = fields();
    return all.size() == 4 && all[0].text == "%" && is_number(all[1].text) &&
           is_number(all[2].text) && is_number(all[3].text);
  }

  static bool is_number(const std::string& text) { return is_integer(text) && text[0] != '-'; }

  void take_size() {
    take_exactly("%");
    size_at_ = {line(), peek().column};
    edges_ = take_count();
    left_ = take_count();
    const auto column = peek().column;
    right_ = take_count();
    has_size_ = true;
    if (shape_ == "bip" && left_ + right_ > most_) refuse(column);
    if (shape_ != "bip") left_ = right_ = std::max(left_, right_);
  }

  // Reads an edge. In a bipartite graph, second endpoints are numbered after all first endpoints.
  void take_edge() {
    const bool moved = shape_ == "bip";
    const auto before = has_size_ ? left_ : most_left_;
    const auto from = take_id(left_);
    const auto column = peek().column;
    const auto to = std::stoull(take_id(right_)) + (moved ? before : 0);
    if (to >= most_) refuse(column);
    if (kind_ != "unweighted" && at_end()) {
      if (kind_ == "positive") {
        add_weight("1");
      } else {
        lose_weights();
      }
    } else if (kind_ != "unweighted") {
      take_weight();
    } else if (!at_end()) {
      pass_number();
    }
    if (!at_end()) pass_number();
    take_end();
    add(from, std::to_string(to));
  }

  void finish() override {
    if (line() == 0) refuse_file();
    if (has_size_ && edges_ != edges()) throw wrong_at{size_at_};
  }

  std::string shape_, kind_;
  bool has_size_ = false;
  std::uint64_t edges_ = 0, left_ = most_, right_ = most_, most_left_ = 0;
  place size_at_;
};

class metis_text_reader final : public headed_reader {
 public:
  metis_text_reader() : headed_reader(std::string::npos) {}

 private:
  void take(const std::string& line) override {
    split(line);
    if (raw_starts_with_percent(line)) return;
    if (!has_size_) return take_head();
    if (row_ >= vertices_) return take_end();
    take_row();
    ++row_;
  }

  // Returns true if the line begins with a percent sign, possibly after a byte order mark.
  static bool raw_starts_with_percent(const std::string& line) { return line.starts_with('%'); }

  void take_head() {
    vertices_ = take_count();
    size_at_ = {line(), peek().column};
    edges_ = take_count();
    has_size_ = true;
    if (at_end()) return;
    const auto& format = peek().text;
    if (format.size() > 3 || format.find_first_not_of("01") != std::string::npos)
      refuse(peek().column);
    const auto flags = "00" + take_field().text;
    const auto digit = [&](std::size_t i) { return flags[flags.size() - 1 - i] == '1'; };
    weighted_ = digit(0);
    numbers_ = digit(1) + digit(2);
    if (at_end()) return;
    const auto column = peek().column;
    const auto count = take_count();
    if (count > 0 && !digit(1)) refuse(column);
    numbers_ = count + digit(2);
    take_end();
  }

  void take_row() {
    const place begin(line(), peek().column);
    for (std::uint64_t i = 0; i < numbers_; ++i) take_count();
    std::vector<std::string> loops;
    while (!at_end()) {
      const place where(line(), peek().column);
      const std::uint64_t to = std::stoull(take_id(vertices_));
      const auto weight = weighted_ ? take_end_weight() : "";
      if (to == row_) {
        loops.push_back(weight);
      } else {
        ends_.push_back({{std::min(row_, to), std::max(row_, to), weight}, row_ < to, where});
      }
    }
    // If a vertex lists itself an odd number of times, each entry stands for a self loop. If a
    // vertex lists itself an even number of times, each pair of entries stands for a self loop.
    for (std::size_t i = 0; i < loops.size(); ++i) {
      if (loops.size() % 2 != 0) {
        loops_.emplace_back(row_, loops[i]);
      } else {
        ends_.push_back({{row_, row_, loops[i]}, i % 2 != 0, begin});
      }
    }
  }

  // Reads the weight of an edge. A weight that is not an integer counts as 0 when the reader
  // compares the entries of an edge at its two endpoints.
  std::string take_end_weight() {
    const auto weight = as_weight(pass_number());
    if (!weight) lose_weights();
    return weight.value_or("0");
  }

  // Each edge must be listed equally often at both endpoints. If one endpoint lists an edge more
  // often, the file is refused at the first entry of this endpoint.
  void finish() override {
    if (!has_size_) refuse_file();
    std::map<arc, std::int64_t> surplus;
    for (const auto& end : ends_) surplus[end.of] += end.is_up ? 1 : -1;
    for (const auto& end : ends_) {
      const auto more = surplus[end.of];
      if (end.is_up ? more > 0 : more < 0) throw wrong_at{end.where};
    }
    const auto edges = static_cast<std::uint64_t>(
        std::ranges::count_if(ends_, [](const auto& end) { return end.is_up; }));
    if (row_ < vertices_ || edges + loops_.size() != edges_) throw wrong_at{size_at_};
    for (const auto& [vertex, weight] : loops_) {
      add(std::to_string(vertex), std::to_string(vertex));
      if (weighted_) add_weight(weight);
    }
    for (const auto& [of, is_up, where] : ends_) {
      if (!is_up) continue;
      add(std::to_string(std::get<0>(of)), std::to_string(std::get<1>(of)));
      if (weighted_) add_weight(std::get<2>(of));
    }
  }

  using arc = std::tuple<std::uint64_t, std::uint64_t, std::string>;
  struct seen {
    arc of;
    bool is_up;
    place where;
  };

  bool has_size_ = false, weighted_ = false;
  std::uint64_t vertices_ = 0, edges_ = 0, numbers_ = 0, row_ = 0;
  std::vector<seen> ends_;
  // self loops of vertices that list themselves an odd number of times
  std::vector<std::pair<std::uint64_t, std::string>> loops_;
  place size_at_;
};

/// Reads a file of any format.
inline graph read_any(const std::string& text, edge_format format,
                      std::size_t longest_line = std::size_t{1} << 20) {
  switch (format) {
  case edge_format::mtx:
    return matrix_reader(longest_line).read(text);
  case edge_format::gr:
    return dimacs_reader(longest_line).read(text);
  case edge_format::konect:
    return konect_reader(longest_line).read(text);
  case edge_format::metis:
    return metis_text_reader().read(text);
  default:
    return read(text, format, longest_line);
  }
}

}  // namespace naive
