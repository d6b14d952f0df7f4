#pragma once
// Bringing a graph from files into a job: every PE reads its part.

#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/io/file_part.hpp"
#include "atoll/graph/vertex_names.hpp"
#include "atoll/graph_files.hpp"

#include <string>

namespace atl {

/// Reads the files; each PE gets its part of the edges. Where edges are between names, the names
/// are numbered in the order of their hashes, which is the same for all numbers of PEs. Where a
/// file of names is shorter than the number of vertices, the last vertices have no names; where it
/// is longer, there are more vertices, without edges. Every PE calls it. Throws the same `error` on
/// every PE: the first of the file.
task<graph_size> all_load_edges(const graph_files& files, per_pe<stored_edges> everywhere,
                                vertex_names names);

/// The same, called by one task: `files` may stand on its PE alone. Blocks the task.
task<graph_size> load_edges(const graph_files& files, per_pe<stored_edges> everywhere,
                            vertex_names names);

/// As for files (graph_files.hpp), with all that reading one may be told.
guessed_graph guess_graph(const std::string& path, const read_options& options = {});

/// How the file of edges is read.
read_options options_of(const graph_files& files);

}  // namespace atl
