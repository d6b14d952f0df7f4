#pragma once
// Reads graphs from files: recognises the format, reads a part block by block, or reads all edges
// of a part.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/format_row.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace atl {

// This part recognises the format of a file of edges by its name and its first bytes.

/// Returns the format in which to read a file. If `how` states a format, returns the stated format.
/// If `how` states no format, the name tells the format. If the name ends in .txt or leaves the
/// format open, the first bytes decide. A file with the ending .graph is a BVGraph if its
/// properties file exists, and otherwise METIS. The call reads some kilobytes of the file. Any
/// process may call this function. Throws `error` (input) if the format remains unknown, if name
/// and content contradict each other, or if the file cannot be opened.
file_format recognised_format(const std::string& path, const read_options& how = {});

/// Returns the format with the compression of the file. If the name tells no compression, the first
/// bytes are checked. Throws `error` (input) if the file cannot be opened.
file_format format_as_packed(const std::string& path, edge_format edges,
                             const read_options& how = {});

// Reads a part of a file of edges block by block. Between blocks, the caller can do other work.

class edge_reader {
 public:
  /// Opens a part. Throws the errors of `read_edges`.
  explicit edge_reader(file_part which);
  edge_reader(const edge_reader&) = delete;
  edge_reader& operator=(const edge_reader&) = delete;

  /// Reads the next block: at most `longest_line` bytes of text, or some 10,000 edges of another
  /// format. Returns false if no block is left. Throws the errors of `read_edges`.
  bool read_some();

  /// Returns the share of the part that was read, from 0 to 1.
  double progress() const { return source_->progress(); }

  /// Returns the offset of the last block. The offset is greater than the offsets of all earlier
  /// blocks.
  std::uint64_t offset() const { return source_->offset(); }

  /// Returns the number of edges of the part that were read so far.
  std::uint64_t edges() const { return list_.count(); }

  /// Calls `keep(list)` with the edges and weights that were read since the last call, and then
  /// removes them from the list. The caller calls this function after each block, and must have set
  /// `read_options::by_blocks`. If `handed_over` of the list is 0, the reader has begun or
  /// restarted the part, and `keep` must drop everything that it has kept.
  template <class Keep>
  void hand_over(Keep keep) {
    keep(std::as_const(list_));
    list_.handed_over += list_.edges.size();
    list_.edges.clear();
    list_.weights.clear();
  }

  /// Returns the list without the edges that were handed over. The caller must call this function
  /// only once.
  edge_list take() &&;

 private:
  bool read_block();

  file_part which_;
  std::unique_ptr<graph::part_source> source_;
  edge_list list_;
};

// Graphs are read from files in parallel without communication: every PE reads its part.
//
// The formats are the rows of formats.def. The name of a file tells its format. If the name leaves
// the format open, the content decides (see recognised_format). A text may be compressed, as .gz
// (any number of members) or .zst (any number of frames). A BVGraph has a compression of its own.
//
// In a list of edges (`format_traits::is_list`), a column after the two endpoints may have weights
// (see input_form::weight_column). A .csv or .tsv file may begin with a line of titles. Any list of
// edges may begin with a line that declares sizes (see graph::look_at_head). Lines that are blank
// or begin with # or % are no edges. In .txt and .csv, lines that begin with // are no edges
// either. Lines of a text may end in "\n", in "\r\n" or in a "\r" alone. The last line may have no
// line end. Ids of vertices are from 0 to 2^48 - 1. A file may have no edges: its graph is empty.

/// Divides the file into `parts` parts, and reads part number `part`. Each edge is in exactly one
/// part. A plain file is cut into ranges of bytes of equal size. Each reader decompresses the whole
/// of a compressed file, and parses its share. A BVGraph is cut into parts of about equally many
/// bits. The call blocks and does not communicate. Throws `error` (input) with the message
/// "FILE:LINE:COLUMN: sentence", or "FILE: node N at bit B: sentence". The first error of the file
/// is the error with the smallest line among all parts. Errors without a line are ordered by part.
///
/// If there are several parts, a .tsv file is complete only after `agree_on_names`. The caller must
/// also compare the number of edges with `edge_list::declared`.
edge_list read_edges(const std::string& path, std::uint64_t part = 0, std::uint64_t parts = 1,
                     const read_options& options = {});

/// Reads the whole file. `show_progress` is called repeatedly with the share that was read, from 0
/// to 1. Throws the errors of the function `read_edges` that reads one part.
edge_list read_edges(const std::string& path, const std::function<void(double)>& show_progress,
                     const read_options& options = {});

/// Adapts the list of one part to the lists of the other parts. `any_uses_names` tells whether
/// `uses_names` is true for any part. If `any_uses_names` is true, a part in which all endpoints
/// were integers is read again. If no part uses names, throws the deferred error of this part.
/// Reading a part again may throw `error` (input), too. Only lists from .tsv files are changed.
void agree_on_names(edge_list& list, bool any_uses_names);

}  // namespace atl
