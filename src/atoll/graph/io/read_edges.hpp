#pragma once
// Graphs read from files: recognition of the format, the edges of one part block by block, and all
// edges of a part.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/io/format_row.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace atl {

// The contents of a file of edges, by its first bytes and its name.

/// Returns the format in which to read a file: that of `how` if given, else that of the name. The
/// first bytes decide for a .txt, and for a name that leaves the format open. A `.graph` is a
/// BVGraph if its properties exist, else METIS. Reads some kilobytes. Any process may call this
/// function. Throws `error` (input) if the format remains unknown, if name and content contradict
/// each other, and for a file that cannot be opened.
file_format recognised_format(const std::string& path, const read_options& how = {});

/// Returns the format with the compression of the first bytes, if the name has none. Throws `error`
/// (input) for a file that cannot be opened.
file_format format_as_packed(const std::string& path, edge_format edges,
                             const read_options& how = {});

// Reads a part of a file of edges block by block; between blocks the caller can do other work.

class edge_reader {
 public:
  /// Opens a part. Throws `error` (input) like `read_edges`.
  explicit edge_reader(file_part which);
  edge_reader(const edge_reader&) = delete;
  edge_reader& operator=(const edge_reader&) = delete;

  /// Reads the next block: at most `longest_line` bytes of text, or some 10,000 edges of another
  /// format. Returns false if there is none left. Throws like `read_edges`.
  bool read_some();

  /// Returns the fraction of the part that was read, 0 to 1.
  double progress() const { return source_->progress(); }

  /// Returns the offset of the last block, which is greater than all offsets before it.
  std::uint64_t offset() const { return source_->offset(); }

  /// Returns the number of edges of the part so far.
  std::uint64_t edges() const { return list_.count(); }

  /// Calls `keep(list)` with the edges and weights since the last call, and then forgets them. Call
  /// it after each block, with `read_options::by_blocks`. If `edge_list::handed_over` is 0, the
  /// part begins, perhaps again, and everything kept before is void.
  template <class Keep>
  void hand_over(Keep keep) {
    keep(std::as_const(list_));
    list_.handed_over += list_.edges.size();
    list_.edges.clear();
    list_.weights.clear();
  }

  /// Returns the list without the edges that were handed over. Call it once.
  edge_list take() &&;

 private:
  bool read_block();

  file_part which_;
  std::unique_ptr<graph::part_source> source_;
  edge_list list_;
};

// Graphs are read from files in parallel without communication: every PE reads its part.
//
// The formats are the rows of formats.def. The name of a file determines its format; if it leaves
// that open, the content decides: see recognised_format. A text may be compressed, as .gz (any
// number of members) or .zst (any number of frames); a BVGraph has its own compression.
//
// In a list of edges (`format_traits::is_list`) a column after the two ends may have weights: see
// input_form::weight_column. A .csv or .tsv may begin with titles, and each list with a line that
// declares sizes: see graph::look_at_head. Lines that are blank or begin with # or % are no edges;
// in .txt and .csv the same holds for //. Lines of a text may end in "\n", "\r\n" or a "\r" alone;
// the last line needs no end. Vertex ids are 0 to 2^48 - 1. A file without edges is an empty graph.

/// Reads the part `part` of `parts`; together the parts have every edge once. Plain files are cut
/// into byte ranges of equal size. Every reader of a compressed file decompresses all and parses
/// its share. A BVGraph is cut into parts of about equally many bits. The call blocks and does not
/// communicate. Throws `error` (input) "FILE:LINE:COLUMN: sentence", or "FILE: node N at bit B:
/// sentence". The first error of the file is the error of all parts with the lowest line, or that
/// of the first part that has one.
///
/// With more than one part, a .tsv file is complete only after `agree_on_names`, and the number of
/// edges has not been compared with `edge_list::declared`.
edge_list read_edges(const std::string& path, std::uint64_t part = 0, std::uint64_t parts = 1,
                     const read_options& options = {});

/// Reads the whole file. `show_progress` is called now and then with the fraction that was read, 0
/// to 1. Throws like the function above.
edge_list read_edges(const std::string& path, const std::function<void(double)>& show_progress,
                     const read_options& options = {});

/// Adapts one part to the others. `any_uses_names` is `uses_names` of all parts, combined by or. A
/// part that saw only integers is read again if another part saw a name. Throws `error` (input),
/// also the deferred one if no part uses names. Other files than .tsv stay unchanged.
void agree_on_names(edge_list& list, bool any_uses_names);

}  // namespace atl
