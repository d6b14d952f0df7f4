// PageRank on Tpetra of Trilinos, on the graph of `atoll pagerank`. Started alone it launches
// itself.

#include "peers/pagerank/measure.hpp"
#include "peers/pagerank/tpetra.hpp"

namespace {

using namespace bench::peers;

bool run(const rank_options& o, int argc, char** argv) {
  o.check();
  bench::launch_under_mpi(BENCH_LAUNCHER, argv, o.processes, o.over_hosts);
  const bench::mpi_session all;
  const Tpetra::ScopeGuard running(&argc, &argv);
  by_tpetra ranks(o.graph(), all, o.with);
  return measure(o, all, ranks);
}

}  // namespace

int main(int argc, char** argv) {
  rank_options o;
  bench::flags flags("rate of PageRank by a sparse matrix of Tpetra; starts its own processes");
  add_rank_flags(flags, o);
  return bench::run_program(flags, argc, argv, [&] { return run(o, argc, argv); });
}
