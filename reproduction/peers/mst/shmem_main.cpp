// Finds minimum spanning forests with the code of `atoll bench mst`, but over OpenSHMEM one-sided
// access. If no launcher has started the program, the program runs itself under one.

#include <cstdlib>

#include "peers/one_sided/launch.hpp"
#include "reproduction/peers/mst/measure.hpp"
#include "reproduction/peers/mst/shmem_one_sided.hpp"

namespace {

using namespace bench::mst;

/// Initialises OpenSHMEM in this process. The destructor finalises OpenSHMEM.
class shmem_session {
 public:
  /// Requests a symmetric heap of `heap_bytes` bytes. If an environment variable already sets the
  /// size, `heap_bytes` is ignored.
  explicit shmem_session(std::size_t heap_bytes) {
    const auto text = std::to_string(heap_bytes);
    setenv("SHMEM_SYMMETRIC_SIZE", text.c_str(), 0);
    setenv("SMA_SYMMETRIC_SIZE", text.c_str(), 0);  // the name that Open MPI uses
    shmem_init();
  }
  ~shmem_session() { shmem_finalize(); }
  shmem_session(const shmem_session&) = delete;
  shmem_session& operator=(const shmem_session&) = delete;
};

bool run(const options& o, char** argv) {
  using bench::one_sided::launcher_kind;
  (void)graph_of(o);
  (void)ways_of(o);
  if (!bench::one_sided::is_launched())
    bench::one_sided::launch(BENCH_LAUNCHER, launcher_kind::BENCH_LAUNCHER_KIND, argv,
                             {.processes = o.processes, .over_hosts = o.over_hosts});
  constexpr std::size_t rest = 64 << 20;
  const shmem_session all(2 * o.exchange_bytes + rest);
  shmem_one_sided others(o.chunks, o.exchange_bytes);
  return measure(o, others);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("minimum spanning forests by OpenSHMEM; starts its own processes");
  add_flags(flags, o);
  flags.add("exchange-bytes", o.exchange_bytes, 1 << 16, 1 << 30, "bytes of a buffer");
  return bench::run_program(flags, argc, argv, [&] { return run(o, argv); });
}
