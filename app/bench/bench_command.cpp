// The program `atoll-bench` measures parts of the runtime. For a benchmark of the runtime, the
// command `atoll bench` replaces its process by the program `atoll-bench`. Without the name of a
// benchmark, the program lists all benchmarks. Benchmarks of kernels (algorithms such as
// breadth-first search) come first in the list. Each file NAME_command.cpp of this folder has the
// benchmarks of one topic, such as tasks, regions or hash tables.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/kernels/kernels.hpp"

// The benchmarks, in the order in which they are listed.
#define ATOLL_BENCHMARKS(benchmark)                                                                \
  benchmark(context_switch) benchmark(messages) benchmark(stealing) benchmark(stack)               \
      benchmark(queue) benchmark(hash_set) benchmark(hash_map) benchmark(event_latency)            \
          benchmark(event_throughput) benchmark(reservations) benchmark(reductions)                \
              benchmark(copies) benchmark(reading) benchmark(one_sided)

namespace atl::app {

#define ATOLL_DECLARE(name) void add_##name(CLI::App& bench, command_context& context);
ATOLL_BENCHMARKS(ATOLL_DECLARE)
#undef ATOLL_DECLARE

namespace {

int run_program(int argc, char** argv) {
  command_context context;
  context.settings = settings::take_flags(argc, argv);
  const auto root = new_program("Micro-benchmarks of the runtime.");
  CLI::App& bench = add_command_group(*root, context, "bench", k_bench_help);
  add_kernel_benchmarks(bench, context);
#define ATOLL_ADD(name) add_##name(bench, context);
  ATOLL_BENCHMARKS(ATOLL_ADD)
#undef ATOLL_ADD
  return run_command_line(*root, context, argc, argv);
}

}  // namespace
}  // namespace atl::app

int main(int argc, char** argv) {
  using namespace atl::app;
  return guarded_program([&] { return run_program(argc, argv); });
}
