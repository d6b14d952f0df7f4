// Measures PageRank over plain MPI on the graph of `atoll bench pagerank`. If no launcher has
// started the program, the program starts a launcher itself.

#include "peers/pagerank/ghosts.hpp"
#include "peers/pagerank/measure.hpp"

int main(int argc, char** argv) {
  return bench::peers::run_rank_peer<bench::peers::by_ghosts>(
      "rate of PageRank by Jacobi's method over MPI; starts its own processes", argc, argv);
}
