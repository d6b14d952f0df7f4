#pragma once
// The commands that measure kernels. Two programs have them: `atoll`, which carries them out, and
// `atoll-bench`, which lists them beside the others.

#include "app/command.hpp"

#include <algorithm>
#include <string_view>

#define ATOLL_KERNEL_BENCHMARKS(benchmark)                                                         \
  benchmark(gups) benchmark(bfs) benchmark(cc) benchmark(pagerank) benchmark(mst) benchmark(sort)  \
      benchmark(uts)

namespace atl::app {

#define ATOLL_DECLARE(name) void add_bench_##name(CLI::App& bench, command_context& context);
ATOLL_KERNEL_BENCHMARKS(ATOLL_DECLARE)
#undef ATOLL_DECLARE

/// The file beside `atoll` that measures parts of the runtime.
inline constexpr const char* k_bench_program = "atoll-bench";

inline bool is_kernel_benchmark(std::string_view name) {
#define ATOLL_NAME(name) #name,
  constexpr std::string_view names[] = {ATOLL_KERNEL_BENCHMARKS(ATOLL_NAME)};
#undef ATOLL_NAME
  return std::ranges::find(names, name) != std::end(names);
}

inline void add_kernel_benchmarks(CLI::App& bench, command_context& context) {
#define ATOLL_ADD(name) add_bench_##name(bench, context);
  ATOLL_KERNEL_BENCHMARKS(ATOLL_ADD)
#undef ATOLL_ADD
}

}  // namespace atl::app
