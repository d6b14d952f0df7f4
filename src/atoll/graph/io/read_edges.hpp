#pragma once
// Reading graphs from files: which format a file has, the edges of one part block by block, and
// all edges of a part.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/format_row.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace atl {

// What a file of edges holds, as its first bytes and its name say it.

/// The format to read a file in: that of `how`, if it has one. Otherwise the name tells it. The
/// first bytes decide for a .txt, and for a name that leaves the format open. A `.graph` is a
/// BVGraph beside its properties, else METIS. Reads some kilobytes. Any process. Throws `error`
/// (input) where neither tells, where name and content contradict each other, and for a file that
/// cannot be opened.
file_format recognised_format(const std::string& path, const read_options& how = {});

/// The format with the compression that the first bytes tell, where its name says nothing of it.
/// Throws `error` (input) for a file that cannot be opened.
file_format format_as_packed(const std::string& path, edge_format edges,
                             const read_options& how = {});

// Reading a part of a file of edges block by block, for who does something else in between.

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

// Reading graphs from files, in parallel without communication: every PE reads its part.
//
// The formats are the rows of formats.def. The name of a file tells its format; where it leaves
// that open, the content decides: see recognised_format. A text may be compressed, as .gz (any
// number of members) or .zst (any number of frames); a BVGraph is so in its own way.
//
// In a list of edges (`format_traits::is_list`) one of the columns behind the two ends may hold
// weights: see input_form::weight_column. A .csv or .tsv may begin with a line of titles, and each
// list with a line that gives the sizes of the rest: see graph::look_at_head. Lines that are blank
// or begin with # or % are no edges, in .txt and .csv neither those that begin with //. Lines of a
// text may end in "\n", "\r\n" or a "\r" alone, and the last one in nothing. Vertex ids are 0 to
// 2^48 - 1. A file without edges is an empty graph.

/// Reads the part `part` of `parts`: together the parts hold every edge once. Plain files are cut
/// into byte ranges of equal size; of compressed files every reader decompresses all and parses its
/// share; a BVGraph is cut where about as many bits have been. Blocks; does not communicate. Throws
/// `error` (input) "FILE:LINE:COLUMN: sentence", or "FILE: node N at bit B: sentence", for what it
/// cannot read. The first error of the file is the error of all parts with the lowest line, or
/// that of the first part that has one.
///
/// With more than one part, a .tsv file is complete only after `agree_on_names`, and nobody has
/// compared the number of edges with `edge_list::declared`.
edge_list read_edges(const std::string& path, std::uint64_t part = 0, std::uint64_t parts = 1,
                     const read_options& options = {});

/// The whole file; `show_progress` gets how much was read, 0 to 1, now and then. Throws likewise.
edge_list read_edges(const std::string& path, const std::function<void(double)>& show_progress,
                     const read_options& options = {});

/// Brings one part in line with the others: `any_uses_names` is `uses_names` of all parts, combined
/// by or. A part that saw only integers, where another saw a name, is read again. Throws `error`
/// (input), also the deferred one where no part uses names. Files that are no .tsv stay as they
/// are.
void agree_on_names(edge_list& list, bool any_uses_names);

}  // namespace atl
