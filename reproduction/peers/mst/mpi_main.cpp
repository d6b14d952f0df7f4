// Finds minimum spanning forests with the code of `atoll-papers mst`, but over MPI messages or MPI
// one-sided access. If no launcher has started the program, the program runs itself under one.

#include <cstdlib>

#include "peers/one_sided/launch.hpp"
#include "reproduction/peers/mst/measure.hpp"
#include "reproduction/peers/mst/mpi_one_sided.hpp"
#include "reproduction/peers/mst/mpi_two_sided.hpp"

namespace {

using namespace bench::mst;

#ifdef OPEN_MPI
constexpr auto kind = bench::one_sided::launcher_kind::open_mpi;
#else
constexpr auto kind = bench::one_sided::launcher_kind::mpich;
#endif

/// Initialises MPI in this process. The destructor finalises MPI.
class mpi_session {
 public:
  mpi_session() {
    // The component rdma is disabled: in Open MPI 4.1, it accepts windows over TCP but then fails
    // to make them.
    setenv("OMPI_MCA_osc", "^rdma", 0);
    MPI_Init(nullptr, nullptr);
  }
  ~mpi_session() { MPI_Finalize(); }
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;
};

bool run(const options& o, char** argv) {
  const bool one_sided = is_first("exchange", o.exchange, "one-sided", "two-sided");
  (void)graph_of(o);
  (void)ways_of(o);
  if (!bench::one_sided::is_launched())
    bench::one_sided::launch(BENCH_LAUNCHER, kind, argv,
                             {.processes = o.processes, .over_hosts = o.over_hosts});
  const mpi_session all;
  if (one_sided) {
    mpi_one_sided others(o.chunks, o.exchange_bytes);
    return measure(o, others);
  }
  mpi_two_sided others(o.chunks, o.largest_message);
  return measure(o, others);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("minimum spanning forests by MPI; starts its own processes");
  add_flags(flags, o);
  flags.add("exchange", o.exchange, "one-sided|two-sided: puts and gets in a window, or messages");
  flags.add("exchange-bytes", o.exchange_bytes, 1 << 16, 1 << 30, "one-sided: bytes of a buffer");
  flags.add("largest-message", o.largest_message, 1, 0x7fff'ffff, "two-sided: items of a message");
  return bench::run_program(flags, argc, argv, [&] { return run(o, argv); });
}
