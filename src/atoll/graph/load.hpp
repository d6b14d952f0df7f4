#pragma once
// Loads a graph from files into a job; every PE reads its part.

#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/vertex_names.hpp"
#include "atoll/graph_files.hpp"

#include <string>

namespace atl {

/// Reads the files; each PE gets its part of the edges. Names at the ends of edges are numbered in
/// the order of their hashes, which does not depend on the number of PEs. If a file of names is
/// shorter than the number of vertices, the last vertices have no names. If it is longer, there are
/// more vertices, without edges. Every PE calls it. Throws the same `error` on every PE: the first
/// of the file.
task<graph_size> all_load_edges(const graph_files& files, per_pe<stored_edges> everywhere,
                                vertex_names names);

/// Reads the files; each PE gets its part of the edges. One task calls it, and waits; `files` may
/// be on its PE alone. Throws like `all_load_edges`.
task<graph_size> load_edges(const graph_files& files, per_pe<stored_edges> everywhere,
                            vertex_names names);

/// Estimates the graph of a file, like the function for files (graph_files.hpp), with all options
/// of reading.
guessed_graph guess_graph(const std::string& path, const read_options& options = {});

/// Returns the options for reading the file of edges.
read_options options_of(const graph_files& files);

}  // namespace atl
