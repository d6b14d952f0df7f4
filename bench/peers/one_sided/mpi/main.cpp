// Measures one-sided access, two-sided messages and collective operations of MPI. If no launcher
// has started the program, the program starts a launcher itself.

#include <mpi.h>

#include "peers/one_sided/collectives.hpp"
#include "peers/one_sided/launch.hpp"
#include "peers/one_sided/measure.hpp"
#include "peers/one_sided/mpi/session.hpp"
#include "peers/one_sided/mpi/two_sided.hpp"
#include "peers/one_sided/mpi/window.hpp"
#include "peers/one_sided/words.hpp"

namespace {

using namespace bench::one_sided;

#ifdef OPEN_MPI
constexpr auto kind = launcher_kind::open_mpi;
#else
constexpr auto kind = launcher_kind::mpich;
#endif

void check_way(const options& o) {
  const bool one_sided = o.way == "rma";
  require(one_sided || o.way == "two-sided", "way", o.way, "is neither two-sided nor rma");
  const bool needs_rma = o.operation == "atomic" || o.operation == "busy-get";
  require(one_sided || !needs_rma, "way", o.way, "has no " + o.operation + ": take rma");
}

bool run(const options& o, char** argv) {
  check(o);
  check_way(o);
  if (!is_launched()) {
    check_processes(o, o.processes);
    launch(BENCH_LAUNCHER, kind, argv, o);
  }
  mpi_session all;
  check_processes(o, all.size());
  // The check of a barrier always uses puts, even if --way chooses two-sided messages.
  if (o.way == "two-sided" && !is_collective(o.operation)) {
    return examine(all, *make_two_sided(all, o), o);
  }
  if (is_collective(o.operation) && o.operation != "barrier") {
    return examine(all, *make_collective(all, o), o);
  }
  mpi_window window(all, area_bytes(o));
  return examine(all, *over_wire(all, window, o), o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("nanoseconds of an operation by MPI; starts its own processes");
  add_flags(flags, o);
  flags.add("way", o.way, "two-sided|rma: messages, or puts and gets in a window");
  return bench::run_program(flags, argc, argv, [&] { return run(o, argv); });
}
