#pragma once
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

#include "atoll/graph/edge_list.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace atl {

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
