#pragma once
// Bringing a graph from files into a job: every PE reads its part.

#include "atoll/graph/edge_sources.hpp"
#include "atoll/graph/io/file_part.hpp"
#include "atoll/graph/vertex_names.hpp"

#include <functional>
#include <string>

namespace atl {

struct graph_files {
  std::string edges;
  std::string names;  ///< line i, from 0 on, names vertex i; "": no such file

  /// Called on PE 0 as reading goes on, with what was read of its part, 0 to 1. May be empty.
  std::function<void(double)> show_progress;

  /// Vertices are numbered without gaps, in the order of their ids, which are their names then. Not
  /// with a file of names. Where the ends of edges are names, there are no gaps in any case.
  bool compact = false;

  /// What a person says of the file of edges.
  input_form form = {};

  /// Where its content stands, for a name such as /dev/stdin; "": there.
  std::string content = {};

  /// The same of the file of names.
  std::string names_content = {};
};

struct graph_size {
  std::uint64_t vertices = 0;  ///< the largest id + 1, or as many as have names, or as ids occur,
                               ///< or the nodes of a BVGraph
  std::uint64_t edges = 0;     ///< of the input: duplicates and self loops included
};

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

/// What a few blocks of a file say of its graph.
struct guessed_graph {
  graph_size size;           ///< exact for small files; no vertices where ends of edges are names
  unsigned weight_bits = 0;  ///< of the weights of edges, where they have any
};

/// Edges are guessed from the first block, vertices, of which there may be more, in a plain text
/// also from other places. Any process; does not communicate. Throws `error` (input) as reading
/// does.
guessed_graph guess_graph(const std::string& path, const read_options& options = {});

/// How the file of edges is read.
read_options options_of(const graph_files& files);

}  // namespace atl
