// `atoll bench`: the micro-benchmarks. Without a name it lists them. Each is a file
// NAME_command.cpp beside this one; stack and queue are one together, as are hash-set and hash-map,
// the benchmarks of events, and those of one-sided access.

#include "app/command.hpp"

// The benchmarks, in the order of the list.
#define ATOLL_BENCHMARKS(benchmark)                                                                \
  benchmark(context_switch) benchmark(messages) benchmark(stealing) benchmark(concurrency)         \
      benchmark(stack) benchmark(queue) benchmark(hash_set) benchmark(hash_map)                    \
          benchmark(event_latency) benchmark(event_throughput) benchmark(reservations)             \
              benchmark(reductions) benchmark(copies) benchmark(reading) benchmark(one_sided)      \
                  benchmark(model)

namespace atl::app {

#define ATOLL_DECLARE(name) void add_##name(CLI::App& bench, command_context& context);
ATOLL_BENCHMARKS(ATOLL_DECLARE)
#undef ATOLL_DECLARE

void add_bench(CLI::App& root, command_context& context) {
  CLI::App& bench =
      add_command_group(root, context, "bench", "Measure parts of the runtime; alone: list them");
#define ATOLL_ADD(name) add_##name(bench, context);
  ATOLL_BENCHMARKS(ATOLL_ADD)
#undef ATOLL_ADD
}

}  // namespace atl::app
