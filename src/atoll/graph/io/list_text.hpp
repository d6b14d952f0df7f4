#pragma once
// Texts that are lists of edges (`format_traits::is_list`). This header reads titles and
// declarations in the first lines, and a part of the list.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/line_blocks.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph {

// The names that a line of titles gives to columns.

/// The numbers of the columns for which titles were found. Columns are numbered from 1; the number
/// 0 means that no title names the column.
struct title_line {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t weight = 0;

  title_line() = default;

  /// Parses titles, which may be in quotes: "Source", "from_node_id", "dst", "Weight".
  explicit title_line(std::span<const std::string_view> titles);

  bool has_ends() const { return source != 0 && target != 0; }
};

// The facts about a list of edges (`format_traits::is_list`) that its first lines tell.

struct list_head {
  /// Offset in the text of the first line with an edge, after titles and sizes.
  std::uint64_t begin = 0;
  /// Number of columns of the first line with an edge, at least two.
  std::uint64_t columns = 2;
  /// The number of the column with the weights; 0 if the file has no weights.
  std::uint64_t weight_column = 0;
  /// Whether the file has a column of weights that is not read, because the caller needs no
  /// weights.
  bool leaves_out_weights = false;
  /// Whether the user has asked for weights. If the member is true, a line without a weight is an
  /// error.
  bool weights_are_asked_for = false;
  /// Whether lines of a .tsv file may have more than two columns. The flag is set if the first line
  /// with an edge has a number in the third column, or if the user named a column of weights.
  bool may_have_more = false;
  /// The sizes that a line declares. The member is empty if no line declares sizes.
  std::optional<declared_size> declared;
  /// Sentences for the user about the first lines.
  std::vector<std::string> remarks;
};

/// Reads the first lines of a list of edges, and returns the facts that these lines tell. The whole
/// file is read only if the first line may declare sizes. In a line that declares sizes, the last
/// number is the number of edges that follow, and the first number is the number of vertices. The
/// declared number of vertices must be larger than all ids or, if the smallest id is 1, equal to
/// the largest id. In a .csv file, a title never begins like a number. In a .tsv file, a title
/// above a line with two integers does not begin like a number, either. In a .tsv file of names,
/// titles are recognised only if they call the first two columns source and target, or similar. The
/// function ignores errors in a line, because the reader of the edges reports them. Throws `error`
/// (input) if titles say that the endpoints of edges are in other columns.
list_head look_at_head(const input_file& file, file_format format, const read_options& options);

// Reads a part of a list of edges (`format_traits::is_list`). The first lines without edges are
// skipped, and the other lines are parsed block by block.

class list_source : public part_source {
 public:
  /// Opens a part. Throws `error` (input) if the part cannot be opened.
  list_source(const file_part& which, file_format format);
  list_source(const list_source&) = delete;
  list_source& operator=(const list_source&) = delete;

  void describe(edge_list& list) const override;
  bool read_some(edge_list& list) override;
  double progress() const override { return blocks_->progress(); }
  std::uint64_t offset() const override { return blocks_->offset(); }

 protected:
  /// Appends the edges and weights of `text`, the current block, to `list`, and adds the number of
  /// lines. Throws `error` (input) for the first line that does not have the format.
  virtual void parse(std::string_view text, edge_list& list) = 0;

  const line_blocks& blocks() const { return *blocks_; }
  const list_head& head() const { return head_; }

  /// Restarts at the first line of the part, because endpoints have turned out to be names.
  void begin_again_as_names(edge_list& list);

 private:
  file_part which_;
  file_format format_;
  bool as_names_;
  input_file file_;
  list_head head_;
  std::optional<line_blocks> blocks_;
};

}  // namespace atl::graph
