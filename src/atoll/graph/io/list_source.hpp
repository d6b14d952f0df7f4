#pragma once
// Reading a part of a list of edges (`format_traits::is_list`): first lines that are no edges are
// passed over, the others are parsed block by block.

#include "atoll/graph/io/format_row.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/list_head.hpp"

#include <optional>
#include <string_view>

namespace atl::graph {

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
