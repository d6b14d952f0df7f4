#pragma once
// Texts that are lists of edges (`format_traits::is_list`): titles, declarations in the first
// lines, and the reading of a part.

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

/// Columns count from 1 on; 0: no title names it.
struct title_line {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t weight = 0;

  title_line() = default;

  /// Parses titles, in quotes or not: "Source", "from_node_id", "dst", "Weight".
  explicit title_line(std::span<const std::string_view> titles);

  bool has_ends() const { return source != 0 && target != 0; }
};

// Declarations in the first lines of a list of edges (`format_traits::is_list`) about the other
// lines.

struct list_head {
  /// Offset in the text of the first line with an edge, after titles and sizes.
  std::uint64_t begin = 0;
  /// Number of columns of the first line with an edge, at least two.
  std::uint64_t columns = 2;
  /// The column of weights; 0: none.
  std::uint64_t weight_column = 0;
  /// Weights are required, and a line without one is an error.
  bool weights_are_asked_for = false;
  /// Lines of a .tsv may have more than two columns. This is set if a number follows in the first
  /// line with an edge, or if the column of weights was named.
  bool may_have_more = false;
  /// The sizes that a line declares.
  std::optional<declared_size> declared;
  /// Sentences for the user about the first lines.
  std::vector<std::string> remarks;
};

/// Reads the first lines. The whole file is read only if the first line may declare the sizes of
/// the rest. The last number of such a line is the number of edges that follow. Its first number is
/// larger than all vertices, or is the last of the vertices numbered from 1 on. Titles of a .csv
/// begin like no number, as do those of a .tsv whose next line has two integers. Titles of a .tsv
/// of names call the first two columns source and target, or alike. Errors in a line are left to
/// the reader of the edges. Throws `error` (input) if titles declare other columns as the ends of
/// edges.
list_head look_at_head(const input_file& file, file_format format, const read_options& options);

// Reads a part of a list of edges (`format_traits::is_list`). First lines without edges are
// skipped, and the others are parsed block by block.

class list_source : public part_source {
 public:
  /// Opens a part. Throws `error` (input).
  list_source(const file_part& which, file_format format);
  list_source(const list_source&) = delete;
  list_source& operator=(const list_source&) = delete;

  void describe(edge_list& list) const override;
  bool read_some(edge_list& list) override;
  double progress() const override { return blocks_->progress(); }
  std::uint64_t offset() const override { return blocks_->offset(); }

 protected:
  /// Appends the edges, weights and lines of `text`, the present block. Throws `error` (input) for
  /// the first line that is not of the format.
  virtual void parse(std::string_view text, edge_list& list) = 0;

  const line_blocks& blocks() const { return *blocks_; }
  const list_head& head() const { return head_; }

  /// Restarts at the first line of the part; the ends of its edges are names.
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
