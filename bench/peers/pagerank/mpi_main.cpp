// PageRank over plain MPI, on the graph of `atoll pagerank`. Started alone it launches itself.

#include "peers/pagerank/ghosts.hpp"
#include "peers/pagerank/measure.hpp"

namespace {

using namespace bench::peers;

bool run(const rank_options& o, char** argv) {
  o.check();
  bench::launch_under_mpi(BENCH_LAUNCHER, argv, o.processes, o.over_hosts);
  const bench::mpi_session all;
  by_ghosts ranks(o.graph(), all, o.with);
  return measure(o, all, ranks);
}

}  // namespace

int main(int argc, char** argv) {
  rank_options o;
  bench::flags flags("rate of PageRank by Jacobi's method over MPI; starts its own processes");
  add_rank_flags(flags, o);
  return bench::run_program(flags, argc, argv, [&] { return run(o, argv); });
}
