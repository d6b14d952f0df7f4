#pragma once
// The example graphs of LDBC Graphalytics (github.com/ldbc/ldbc_graphalytics, Apache 2.0). The
// published graphs number their vertices from 1; this file numbers them from 0.

#include "kernels/bfs_graphs.hpp"

namespace graphalytics {

/// Returns the graph of example-directed.e.
inline bfs_graphs::graph directed_example() {
  return {"example-directed",
          10,
          {{0, 2},
           {0, 4},
           {1, 3},
           {1, 4},
           {1, 9},
           {2, 0},
           {2, 4},
           {2, 7},
           {2, 9},
           {4, 2},
           {4, 3},
           {4, 7},
           {5, 2},
           {5, 3},
           {6, 3},
           {7, 0},
           {8, 3}}};
}

/// Returns the graph of example-undirected.e. The file does not have vertex 0.
inline bfs_graphs::graph undirected_example() {
  return {"example-undirected",
          10,
          {{1, 2},
           {1, 3},
           {2, 3},
           {2, 4},
           {2, 7},
           {4, 5},
           {4, 7},
           {5, 6},
           {5, 7},
           {5, 8},
           {5, 9},
           {6, 8}}};
}

}  // namespace graphalytics
