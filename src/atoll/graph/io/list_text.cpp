#include "atoll/graph/io/list_text.hpp"

#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/columns.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/headed_text.hpp"
#include "atoll/graph/io/weight_text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace atl::graph {
namespace {

/// Returns the letters of a title, in lower case.
std::string letters_of(std::string_view title) {
  std::string letters;
  for (const char c : title) {
    if (c >= 'a' && c <= 'z') letters += c;
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
  }
  return letters;
}

std::string_view without_kind(std::string_view word) {
  static constexpr std::array<std::string_view, 3> kinds = {"id", "node", "vertex"};
  for (const auto kind : kinds)
    if (word.size() > kind.size() && word.ends_with(kind)) word.remove_suffix(kind.size());
  return word;
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

title_line::title_line(std::span<const std::string_view> titles) {
  static constexpr std::array<std::string_view, 3> sources = {"source", "src", "from"};
  static constexpr std::array<std::string_view, 6> targets = {"target", "tgt",         "dst",
                                                              "dest",   "destination", "to"};
  static constexpr std::array<std::string_view, 2> weights = {"weight", "weights"};
  std::uint64_t column = 0;
  for (const auto title : titles) {
    ++column;
    const auto letters = letters_of(title);
    const auto word = without_kind(letters);
    if (source == 0 && is_one_of(word, sources)) source = column;
    if (target == 0 && is_one_of(word, targets)) target = column;
    if (weight == 0 && is_one_of(word, weights)) weight = column;
  }
}

namespace {

/// The numbers in a line that may declare sizes. The numbers are the number of vertices, possibly
/// twice, and the number of edges.
struct stated_sizes {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  /// Whether the number of vertices is stated twice, like the rows and the columns of a matrix.
  bool stated_twice = false;
  bool alike = true;  ///< whether both numbers of vertices are equal
};

std::optional<edge> ends_of(std::string_view from, std::string_view to) {
  edge found{};
  if (read_vertex(from, found.from) != vertex_text::number) return std::nullopt;
  if (read_vertex(to, found.to) != vertex_text::number) return std::nullopt;
  return found;
}

/// Tells whether a line could be the line of an edge in a .tsv file whose endpoints are names.
struct tabbed_names {
  bool right = false;
  bool more = false;  ///< whether there are more than two columns

  explicit tabbed_names(const char* begin) {
    const auto line = without_end_of_line(begin, next_line(begin));
    const auto tab = line.find('\t');
    if (tab == line.npos) return;
    const auto rest = line.substr(tab + 1);
    const auto next = rest.find('\t');
    more = next != rest.npos;
    right = is_name(line.substr(0, tab)) && is_name(rest.substr(0, next));
  }

 private:
  static bool is_name(std::string_view column) {
    const auto name = without_blanks(column);
    return !name.empty() && fault_of_name(name).complaint.empty();
  }
};

/// The examined properties of a line.
struct seen_line {
  const char* place;
  std::vector<std::string_view> columns;

  seen_line(const char* first, bool tabbed) : place(first) {
    if (tabbed)
      split_at_tabs();
    else
      for (line_columns rest(first); !rest.at_end();) columns.push_back(rest.next());
  }

  std::optional<edge> ends() const {
    return columns.size() < 2 ? std::nullopt : ends_of(columns[0], columns[1]);
  }

  std::optional<stated_sizes> sizes() const {
    const auto first = ends();
    if (!first || columns.size() > 3) return std::nullopt;
    if (columns.size() == 2) return stated_sizes{first->from, first->to};
    stated_sizes all{std::max(first->from, first->to), 0, true, first->from == first->to};
    if (read_vertex(columns[2], all.edges) != vertex_text::number) return std::nullopt;
    return all;
  }

  /// Returns true if the column has a number. Columns are numbered from 1; the number 0 means no
  /// column.
  bool has_number_in(std::uint64_t column) const {
    return column > 0 && columns.size() >= column &&
           read_weight_text(columns[column - 1]).is != weight_text::other;
  }

 private:
  void split_at_tabs() {
    auto rest = without_end_of_line(place, next_line(place));
    for (auto tab = rest.find('\t');; tab = rest.find('\t')) {
      columns.push_back(without_blanks(rest.substr(0, tab)));
      if (tab == rest.npos) return;
      rest.remove_prefix(tab + 1);
    }
  }
};

/// Examines the first lines of a file, one after another.
class head_finder {
 public:
  head_finder(file_format format, const read_options& options)
      : traits_(traits_of(format.edges)), options_(options) {}

  /// Examines the next line. Returns true if no further line is needed.
  bool take(const line_blocks& blocks, const char* line) {
    const char* const first = place_of_edge(line);
    if (first == nullptr) return false;
    if (first_edge_) return compare(first);
    const seen_line seen = look_at(first);
    if (!titles_ && begins_title(first) && may_be_titles(line)) {
      title_line_ = title_line(seen.columns);
      titles_place_ = place_text(blocks, line);
      titles_ = description_of(seen);
      titles_have_more_ = tabbed_names(line).more;
      titles_end_ = blocks.offset_of(next_line(line));
      return false;
    }
    return take_first(blocks, line, seen);
  }

  /// Ends the search for declared sizes. The caller must call `give_up` after an invalid line,
  /// because an invalid line leaves the number of edges unknown.
  void give_up() { sizes_.reset(); }

  /// Returns the facts that the examined lines have shown. Throws `error` (input) if titles say
  /// that columns other than the first two have the endpoints of edges.
  list_head result() {
    finish();
    if (title_line_.has_ends() && head_.begin >= titles_end_) check_ends();
    return std::move(head_);
  }

 private:
  /// Examines a line. If endpoints are names, only tabs separate columns, because names may contain
  /// blanks.
  seen_line look_at(const char* first) const { return {first, traits_.names}; }

  std::optional<edge> ends_in(const char* first) const {
    if (traits_.names) return look_at(first).ends();
    line_columns columns(first);
    const auto from = columns.next();
    return ends_of(from, columns.next());
  }

  /// Returns true if the line may contain titles. In a file whose endpoints are names, a line with
  /// any words may contain titles.
  bool may_be_titles(const char* line) const {
    return traits_.titles && (traits_.names ? tabbed_names(line).right : is_text(line));
  }

  static bool is_text(const char* line) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; };
    return std::ranges::none_of(without_end_of_line(line, next_line(line)), is_control);
  }

  bool are_names(const seen_line& below) const {
    const bool one_too_many =
        titles_have_more_ && !options_.weight_column && weight_column_in(below) == 0;
    return traits_.names && (!below.ends() || one_too_many);
  }

  /// Returns true if the first line contains titles although endpoints are names. In a file whose
  /// endpoints are names, titles must be usual words for the endpoints of edges. Any other first
  /// line counts as an edge.
  bool are_titles_of_names() const {
    return titles_ && title_line_.has_ends() && options_.skip_lines != std::uint64_t{0};
  }

  /// Returns the column of the weights: the column that the titles call the weight, or else the
  /// third column. Returns 0 if the line has no number in the column of the weights.
  std::uint64_t weight_column_in(const seen_line& seen) const {
    constexpr std::uint64_t third = 3;
    const auto column = title_line_.weight >= third ? title_line_.weight : third;
    return seen.has_number_in(column) ? column : 0;
  }

  /// Returns the beginning of the edge in a line, or null if the line has no edge.
  const char* place_of_edge(const char* line) const {
    if (traits_.any_columns && !traits_.names) return first_column(line);
    const char* const first = skip_blanks(line);
    return at_end_of_line(first) || is_comment(*first) ? nullptr : first;
  }

  bool take_first(const line_blocks& blocks, const char* line, const seen_line& seen) {
    first_edge_ = true;
    const bool names_below = titles_ && are_names(seen);
    const bool among_names = names_below || (titles_ && options_.all_names);
    if (among_names && are_titles_of_names()) {
      remark_on_titles();
    } else if (names_below) {
      describe_columns(*titles_);
      return true;
    }
    head_.begin = among_names && !are_titles_of_names() ? 0 : titles_end_;
    describe_columns(description_of(seen));
    if (options_.skip_lines || options_.all_names) return true;
    sizes_ = seen.sizes();
    if (!sizes_ || sizes_->edges == 0) return refuse_sizes();
    if (traits_.names && !tabbed_names(line).right) return refuse_sizes();
    columns_of_sizes_ = seen.columns.size();
    behind_sizes_ = blocks.offset_of(next_line(line));
    place_ = place_text(blocks, line);
    return false;
  }

  /// Compares the line of an edge with the first line of the file, which may be a line of sizes.
  /// Returns true if the edge proves that the first line is an edge, too.
  bool compare(const char* first) {
    if (edges_ == 0) second_ = description_of(look_at(first));
    const auto ends = ends_in(first);
    if (!ends || ++edges_ > sizes_->edges) return refuse_sizes();
    least_ = std::min({least_, ends->from, ends->to});
    most_ = std::max({most_, ends->from, ends->to});
    const bool beyond = most_ > sizes_->vertices || (most_ == sizes_->vertices && least_ == 0);
    return beyond && refuse_sizes();
  }

  bool refuse_sizes() {
    sizes_.reset();
    return true;
  }

  struct description {
    std::uint64_t columns = 0;
    std::uint64_t weight_column = 0;
  };
  description description_of(const seen_line& seen) const {
    return {seen.columns.size(), weight_column_in(seen)};
  }

  void describe_columns(const description& line) {
    head_.columns = std::max<std::uint64_t>(line.columns, 2);
    if (!traits_.any_columns) return;
    const auto asked = options_.weight_column;
    head_.may_have_more = asked || line.weight_column != 0;
    head_.leaves_out_weights = options_.without_weights && asked.value_or(line.weight_column) != 0;
    if (options_.without_weights) return;
    head_.weights_are_asked_for = asked.value_or(0) != 0;
    head_.weight_column = asked.value_or(line.weight_column);
  }

  void finish() {
    if (!first_edge_ && titles_) finish_titles_alone();
    if (!sizes_ || edges_ == 0 || edges_ != sizes_->edges) return;
    const bool from_1 = most_ == sizes_->vertices;
    // If both lines have two columns, the file could also be a list of names whose first line is an
    // edge. The first lines alone do not show whether the first line has sizes or an edge.
    const bool two_columns = columns_of_sizes_ == 2 && second_.columns == 2;
    if (traits_.names && !two_columns) return;
    const bool other_columns = second_.columns != columns_of_sizes_;
    if (sizes_->stated_twice && !sizes_->alike && !other_columns) return;
    // In a small graph whose smallest vertex is 1, the first line may be an edge and still look
    // like a line of sizes.
    if (from_1 && !other_columns && sizes_->edges <= most_) return remark_on_doubt();
    head_.begin = behind_sizes_;
    describe_columns(second_);
    const auto vertices = sizes_->vertices + (from_1 ? 1 : 0);
    head_.declared = declared_size{vertices, sizes_->edges, place_, "this line", "edges"};
    head_.remarks.push_back(fmt::format(
        "{}: this line gives the sizes of the rest, {} vertices and {} edges, and is taken for no "
        "edge; --skip-lines 0 takes it for one",
        place_, sizes_->vertices, sizes_->edges));
  }

  void finish_titles_alone() {
    if (traits_.names && !are_titles_of_names()) return describe_columns(*titles_);
    if (traits_.names) remark_on_titles();
    head_.begin = titles_end_;
  }

  void remark_on_titles() {
    head_.remarks.push_back(
        fmt::format("{}: this line is taken for titles, and for no edge; --skip-lines 0 takes it "
                    "for one",
                    titles_place_));
  }

  void check_ends() {
    const auto& [source, target, weight] = title_line_;
    if (std::max(source, target) > 2)
      fail(errc::input,
           "{}: the titles say that the ends of an edge stand in columns {} and {}, and they are "
           "read from columns 1 and 2; --skip-lines with the number of this line passes over it",
           titles_place_, source, target);
    if (source > target)
      head_.remarks.push_back(
          fmt::format("{}: edges lead from column 1 to column 2, though the titles call column 2 "
                      "their source",
                      titles_place_));
  }

  void remark_on_doubt() {
    head_.remarks.push_back(
        fmt::format("{}: this line is taken for an edge, and may give the sizes of the rest: {} "
                    "edges follow, between vertices 1 to {}; --skip-lines with the number of this "
                    "line leaves it out",
                    place_, edges_, most_));
  }

  const format_traits& traits_;
  const read_options& options_;
  list_head head_;
  std::optional<description> titles_;
  title_line title_line_;
  std::string titles_place_;
  bool titles_have_more_ = false;  // whether the titles have more than two columns
  std::uint64_t titles_end_ = 0;
  // Whether the first line with an edge was found, so that the columns of the line are known.
  bool first_edge_ = false;
  // The sizes that the first line declares. The value is dropped when a later line proves that the
  // first line is an edge.
  std::optional<stated_sizes> sizes_;
  std::uint64_t columns_of_sizes_ = 0, behind_sizes_ = 0;
  std::string place_;
  description second_;       // description of the line after the sizes
  std::uint64_t edges_ = 0;  // number of lines with an edge after the sizes
  std::uint64_t least_ = ~std::uint64_t{0}, most_ = 0;
};

}  // namespace

list_head look_at_head(const input_file& file, file_format format, const read_options& options) {
  head_finder finder(format, options);
  const auto take = [&](const line_blocks& blocks, const char* line) {
    return finder.take(blocks, line);
  };
  try {
    read_first_lines(file, format.packing, options, take);
  } catch (const error& e) {
    if (e.code() != errc::input) throw;
    finder.give_up();
  }
  return finder.result();
}

namespace {

list_head head_of(const input_file& file, file_format format, read_options options, bool as_names) {
  options.all_names = as_names;
  return look_at_head(file, format, options);
}

}  // namespace

list_source::list_source(const file_part& which, file_format format)
    : which_(which),
      format_(format),
      as_names_(traits_of(format.edges).names && which.options.all_names),
      file_(which.path, which.options.content),
      head_(head_of(file_, format, which.options, as_names_)),
      blocks_(std::in_place, file_, format.packing, which_) {}

void list_source::describe(edge_list& list) const {
  list.uses_names = as_names_;
  list.declared = head_.declared;
  list.weight_column = head_.weight_column;
  list.leaves_out_weights |= head_.leaves_out_weights;
  list.ids_as_written = !as_names_;
  list.remarks.insert(list.remarks.end(), head_.remarks.begin(), head_.remarks.end());
}

bool list_source::read_some(edge_list& list) {
  auto text = blocks_->next();
  if (text.empty()) return false;
  while (!text.empty() && blocks_->offset_of(text.data()) < head_.begin) {
    text.remove_prefix(text.find('\n') + 1);
    ++list.lines;
  }
  parse(text, list);
  return true;
}

void list_source::begin_again_as_names(edge_list& list) {
  as_names_ = true;
  head_ = head_of(file_, format_, which_.options, as_names_);
  blocks_.emplace(file_, format_.packing, which_);
  list = edge_list();
  list.origin = which_;
  describe(list);
}

}  // namespace atl::graph
