// Measures one-sided access and collective operations of OpenSHMEM. If no launcher has started the
// program, the program starts a launcher itself.

#include <cstdlib>

#include "peers/one_sided/collectives.hpp"
#include "peers/one_sided/launch.hpp"
#include "peers/one_sided/measure.hpp"
#include "peers/one_sided/openshmem/heap.hpp"
#include "peers/one_sided/openshmem/session.hpp"
#include "peers/one_sided/words.hpp"

namespace {

using namespace bench::one_sided;

void check_sums(const options& o) {
  require(o.operation != "allreduce" || o.size % 2 == 0, "size", std::to_string(o.size),
          "is odd, and OpenSHMEM has no reductions of single bytes");
}

/// Returns the number of bytes for the heap of a process. The number is the maximum that an
/// operation needs, plus the usual size of a heap for other data.
std::size_t heap_bytes(const options& o) {
  constexpr std::size_t rest = 64 << 20;
  const char* launched = std::getenv("OMPI_COMM_WORLD_SIZE");
  const auto processes = launched != nullptr ? std::strtoull(launched, nullptr, 10) : o.processes;
  const auto areas = is_collective(o.operation) ? 3 * processes + 2 : 2 * places(o);
  return rest + areas * (o.size + 2 * data_offset);
}

bool run(const options& o, char** argv) {
  check(o);
  check_sums(o);
  if (!is_launched()) {
    check_processes(o, o.processes);
    launch(BENCH_LAUNCHER, launcher_kind::BENCH_LAUNCHER_KIND, argv, o);
  }
  openshmem_session all(heap_bytes(o));
  check_processes(o, all.size());
  if (is_collective(o.operation) && o.operation != "barrier") {
    return examine(all, *make_collective(all, o), o);
  }
  symmetric_heap heap(all, area_bytes(o));
  return examine(all, *over_wire(all, heap, o), o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  o.way = "rma";
  bench::flags flags("nanoseconds of an operation by OpenSHMEM; starts its own processes");
  add_flags(flags, o);
  return bench::run_program(flags, argc, argv, [&] { return run(o, argv); });
}
