#pragma once
// Loads graphs from files into a job. Every PE reads a part of the files.

#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph/vertex_names.hpp"
#include "atoll/graph_files.hpp"

#include <string>

namespace atl {

/// Reads the files; each PE gets a part of the edges. If endpoints are names, the names are
/// numbered in the order of their hashes. A name therefore gets the same number, however many PEs
/// the job has. If a file of names has fewer lines than there are vertices, the last vertices have
/// no names. If a file of names has more lines than there are vertices, vertices without edges are
/// added. Every PE calls this function. All PEs throw the same `error`: the first error in the
/// file.
task<graph_size> all_load_edges(const graph_files& files, per_pe<stored_edges> everywhere,
                                vertex_names names);

/// Reads the files; each PE gets a part of the edges. One task calls this function and waits. Only
/// the PE of the task needs `files`. Throws the errors of `all_load_edges`.
task<graph_size> load_edges(const graph_files& files, per_pe<stored_edges> everywhere,
                            vertex_names names);

/// Estimates the size of the graph in a file. Unlike `guess_graph` of graph_files.hpp, this
/// function takes all options of reading.
guessed_graph guess_graph(const std::string& path, const read_options& options = {});

/// Returns the options for reading the file of edges.
read_options options_of(const graph_files& files);

}  // namespace atl
