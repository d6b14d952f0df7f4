#pragma once
// Texts that are lists of edges (`format_traits::is_list`): their titles, what their first lines
// say, and the reading of a part.

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

// What a line of titles calls the columns below it.

/// Columns count from 1 on; 0: no title is that.
struct title_line {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t weight = 0;

  title_line() = default;

  /// Of the titles, in quotes or not: "Source", "from_node_id", "dst", "Weight".
  explicit title_line(std::span<const std::string_view> titles);

  bool has_ends() const { return source != 0 && target != 0; }
};

// What the first lines of a list of edges (`format_traits::is_list`) say of the others.

struct list_head {
  /// Where in the text the lines with edges begin: behind one of titles and one of sizes.
  std::uint64_t begin = 0;
  /// The columns of the first line with an edge, at least two.
  std::uint64_t columns = 2;
  /// Which of them has the weights; 0: none has.
  std::uint64_t weight_column = 0;
  /// Weights must be there, and a line without one is an error.
  bool weights_are_asked_for = false;
  /// Lines of a .tsv may have more than two columns: a number follows in the first line with an
  /// edge, or somebody said which column has weights.
  bool may_have_more = false;
  /// What a line says that gives the sizes of the rest.
  std::optional<declared_size> declared;
  /// Sentences for the reader about the first lines.
  std::vector<std::string> remarks;
};

/// Reads the first lines. It reads the whole file only where the first line may give the sizes of
/// the rest: its last number is the number of edges that follow, and its first number is above all
/// vertices, or the last vertex of those numbered from 1 on. The line of titles of a .csv, and of a
/// .tsv whose next line holds two integers, begins as no number does; of a .tsv of names, it calls
/// the first two columns source and target, or alike. Errors in a line are left to
/// the reader of the edges. Throws `error` (input) where titles say that the ends of edges
/// stand elsewhere.
list_head look_at_head(const input_file& file, file_format format, const read_options& options);

// Reading a part of a list of edges (`format_traits::is_list`): first lines that are no edges are
// passed over, the others are parsed block by block.

class list_source : public part_source {
 public:
  /// Throws `error` (input).
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

  /// Begins again with the first line of the part; the ends of its edges are names.
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
