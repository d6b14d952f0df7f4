#pragma once
// Reading a part of a file of edges block by block, for who does something else in between.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/format_row.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace atl {

class edge_reader {
 public:
  /// Throws `error` (input), as `read_edges` does.
  explicit edge_reader(file_part which);
  edge_reader(const edge_reader&) = delete;
  edge_reader& operator=(const edge_reader&) = delete;

  /// Reads the next block, of at most `longest_line` bytes of text or some 10,000 edges of another
  /// format; false when there is none left.
  /// Throws as `read_edges` does.
  bool read_some();

  /// How much of the part was read, 0 to 1.
  double progress() const { return source_->progress(); }

  /// Where the last block began: greater than all offsets of what stands before it in the file.
  std::uint64_t offset() const { return source_->offset(); }

  /// Of the part so far.
  std::uint64_t edges() const { return list_.count(); }

  /// For `read_options::by_blocks`, after each block: calls `keep(list)` with the edges, and their
  /// weights, that were read since the last time, and are forgotten then. Where none were handed
  /// over before (`edge_list::handed_over`), the part begins, also again: all that was kept is
  /// void.
  template <class Keep>
  void hand_over(Keep keep) {
    keep(std::as_const(list_));
    list_.handed_over += list_.edges.size();
    list_.edges.clear();
    list_.weights.clear();
  }

  /// What was read, but for what was handed over; once.
  edge_list take() &&;

 private:
  bool read_block();

  file_part which_;
  std::unique_ptr<graph::part_source> source_;
  edge_list list_;
};

}  // namespace atl
