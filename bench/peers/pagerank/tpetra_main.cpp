// Measures PageRank with Tpetra of Trilinos on the graph of `atoll bench pagerank`. If no launcher
// has started the program, the program starts a launcher itself.

#include "peers/pagerank/measure.hpp"
#include "peers/pagerank/tpetra.hpp"

int main(int argc, char** argv) {
  return bench::peers::run_rank_peer<bench::peers::by_tpetra>(
      "rate of PageRank by a sparse matrix of Tpetra; starts its own processes", argc, argv);
}
