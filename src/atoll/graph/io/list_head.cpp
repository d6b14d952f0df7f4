#include "atoll/graph/io/list_head.hpp"

#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/columns.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/headed_text.hpp"
#include "atoll/graph/io/line_columns.hpp"
#include "atoll/graph/io/weight_text.hpp"

#include <algorithm>
#include <vector>

namespace atl::graph {
namespace {

/// The numbers in a line that may give sizes: vertices, vertices again or not, and edges.
struct stated_sizes {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool stated_twice = false;  ///< as rows and as columns of a matrix
  bool alike = true;          ///< both times the same
};

std::optional<edge> ends_in(const char* first) {
  line_columns columns(first);
  edge found{};
  if (read_vertex(columns.next(), found.from) != vertex_text::number) return std::nullopt;
  if (read_vertex(columns.next(), found.to) != vertex_text::number) return std::nullopt;
  return found;
}

/// What a line of a .tsv holds where ends are names: such a line is right in any case.
struct tabbed_names {
  bool right = false;
  bool more = false;  ///< than two columns

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

/// What is looked at of a line.
struct seen_line {
  const char* place;
  std::vector<std::string_view> columns;

  explicit seen_line(const char* first) : place(first) {
    for (line_columns rest(first); !rest.at_end();) columns.push_back(rest.next());
  }

  std::optional<edge> ends() const { return ends_in(place); }

  std::optional<stated_sizes> sizes() const {
    const auto first = ends();
    if (!first || columns.size() > 3) return std::nullopt;
    if (columns.size() == 2) return stated_sizes{first->from, first->to};
    stated_sizes all{std::max(first->from, first->to), 0, true, first->from == first->to};
    if (read_vertex(columns[2], all.edges) != vertex_text::number) return std::nullopt;
    return all;
  }

  bool has_number_in_third() const {
    return columns.size() > 2 && read_weight_text(columns[2]).is != weight_text::other;
  }
};

/// Looks at one line after another.
class head_finder {
 public:
  head_finder(file_format format, const read_options& options)
      : traits_(traits_of(format.edges)), options_(options) {}

  /// Whether that was enough.
  bool take(const line_blocks& blocks, const char* line) {
    const char* const first = place_of_edge(line);
    if (first == nullptr) return false;
    if (first_edge_) return compare(first);
    const seen_line seen(first);
    if (!titles_ && begins_title(first) && may_be_titles(line)) {
      titles_ = description_of(seen);
      titles_have_more_ = tabbed_names(line).more;
      titles_end_ = blocks.offset_of(next_line(line));
      return false;
    }
    return take_first(blocks, line, seen);
  }

  /// What follows cannot be read: nobody knows the size of the rest.
  void give_up() { sizes_.reset(); }

  list_head result() {
    finish();
    return std::move(head_);
  }

 private:
  /// Where ends may be names, they may turn out to be such: they are right then, too.
  bool may_be_titles(const char* line) const {
    return traits_.titles && (!traits_.names || tabbed_names(line).right);
  }

  bool are_names(const seen_line& below) const {
    const bool one_too_many =
        titles_have_more_ && !options_.weight_column && !below.has_number_in_third();
    return traits_.names && (!below.ends() || one_too_many);
  }

  /// Null where the line has none.
  const char* place_of_edge(const char* line) const {
    if (traits_.any_columns && !traits_.names) return first_column(line);
    const char* const first = skip_blanks(line);
    return at_end_of_line(first) || is_comment(*first) ? nullptr : first;
  }

  bool take_first(const line_blocks& blocks, const char* line, const seen_line& seen) {
    first_edge_ = true;
    if (titles_ && are_names(seen)) {
      describe_columns(*titles_);
      return true;
    }
    head_.begin = options_.all_names ? 0 : titles_end_;  // titles are names among names
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

  /// With the line of sizes, if it is one. Whether the line shows that it is none.
  bool compare(const char* first) {
    if (edges_ == 0) second_ = description_of(seen_line(first));
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
    bool has_number_in_third = false;
  };
  static description description_of(const seen_line& seen) {
    return {seen.columns.size(), seen.has_number_in_third()};
  }

  void describe_columns(const description& line) {
    head_.columns = std::max<std::uint64_t>(line.columns, 2);
    if (!traits_.any_columns) return;
    const auto asked = options_.weight_column;
    head_.may_have_more = asked || line.has_number_in_third;
    if (options_.without_weights) return;
    head_.weights_are_asked_for = asked.value_or(0) != 0;
    head_.weight_column = asked ? *asked : (line.has_number_in_third ? 3 : 0);
  }

  void finish() {
    if (!first_edge_ && titles_ && traits_.names) describe_columns(*titles_);
    if (!first_edge_ && !traits_.names) head_.begin = titles_end_;
    if (!sizes_ || edges_ == 0 || edges_ != sizes_->edges) return;
    const bool from_1 = most_ == sizes_->vertices;
    // Else names, too, would have to be read below them.
    const bool two_columns = columns_of_sizes_ == 2 && second_.columns == 2;
    if (traits_.names && !two_columns) return;
    const bool other_columns = second_.columns != columns_of_sizes_;
    if (sizes_->stated_twice && !sizes_->alike && !other_columns) return;
    // Every graph of few edges might look so, if it counts from 1.
    if (from_1 && !other_columns && sizes_->edges <= most_) return remark_on_doubt();
    head_.begin = behind_sizes_;
    describe_columns(second_);
    const auto vertices = sizes_->vertices + (from_1 ? 1 : 0);
    head_.declared = declared_size{vertices, sizes_->edges, place_, "this line", "edges"};
    head_.remark = fmt::format(
        "{}: this line gives the sizes of the rest, {} vertices and {} edges, and is taken for no "
        "edge; --skip-lines 0 takes it for one",
        place_, sizes_->vertices, sizes_->edges);
  }

  void remark_on_doubt() {
    head_.remark =
        fmt::format("{}: this line is taken for an edge, and may give the sizes of the rest: {} "
                    "edges follow, between vertices 1 to {}; --skip-lines with the number of this "
                    "line leaves it out",
                    place_, edges_, most_);
  }

  const format_traits& traits_;
  const read_options& options_;
  list_head head_;
  std::optional<description> titles_;
  bool titles_have_more_ = false;  // than two columns
  std::uint64_t titles_end_ = 0;
  bool first_edge_ = false;            // was seen, and described
  std::optional<stated_sizes> sizes_;  // that it may be, and not an edge
  std::uint64_t columns_of_sizes_ = 0, behind_sizes_ = 0;
  std::string place_;
  description second_;       // the line behind it,
  std::uint64_t edges_ = 0;  // and all of them
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

}  // namespace atl::graph
