#pragma once
// Lists the kernels of the command line. In `atoll`, most kernels have a command that answers a
// question, and a benchmark that measures the speed of the kernel. `atoll-bench` lists the
// benchmarks of parts of the runtime, and the benchmarks of the few kernels that have no command in
// `atoll`.

#include "app/command.hpp"

#include <algorithm>
#include <string_view>

// The kernels, in the order of `atoll --help`. An underscore in the name of a kernel becomes a dash
// in the name of its command.
#define ATOLL_ANSWERING_KERNELS(kernel)                                                            \
  kernel(bfs) kernel(paths) kernel(cc) kernel(pagerank) kernel(mst) kernel(triangles)              \
      kernel(betweenness) kernel(cores) kernel(communities) kernel(label_propagation) kernel(sort)
// The kernels that have only a benchmark.
#define ATOLL_MERE_BENCHMARKS(kernel) kernel(gups) kernel(uts)

namespace atl {
struct tree_parameters;
}

namespace atl::app {

// Adds `atoll NAME` to `parent`, or `atoll bench NAME` if `measures` is true.
#define ATOLL_DECLARE(name)                                                                        \
  void add_##name(CLI::App& parent, command_context& context, bool measures);
ATOLL_ANSWERING_KERNELS(ATOLL_DECLARE)
#undef ATOLL_DECLARE
#define ATOLL_DECLARE(name) void add_bench_##name(CLI::App& bench, command_context& context);
ATOLL_MERE_BENCHMARKS(ATOLL_DECLARE)
#undef ATOLL_DECLARE

/// The program in the folder of `atoll` that measures parts of the runtime.
inline constexpr const char* k_bench_program = "atoll-bench";

inline bool is_kernel_benchmark(std::string_view name) {
#define ATOLL_NAME(name) #name,
  constexpr std::string_view names[] = {ATOLL_ANSWERING_KERNELS(ATOLL_NAME)
                                            ATOLL_MERE_BENCHMARKS(ATOLL_NAME)};
#undef ATOLL_NAME
  const auto dashed = [](char c) { return c == '_' ? '-' : c; };
  return std::ranges::any_of(
      names, [&](std::string_view kernel) { return std::ranges::equal(kernel, name, {}, dashed); });
}

/// Adds --tree to a command that traverses a tree of UTS (the benchmark Unbalanced Tree Search). An
/// unknown name is an error, and the message suggests the most similar known name. `tree` must live
/// as long as the command.
void add_tree_flag(CLI::App& command, tree_parameters& tree);

inline void add_kernels(CLI::App& root, command_context& context) {
#define ATOLL_ADD(name) add_##name(root, context, false);
  ATOLL_ANSWERING_KERNELS(ATOLL_ADD)
#undef ATOLL_ADD
}

inline void add_kernel_benchmarks(CLI::App& bench, command_context& context) {
#define ATOLL_ADD(name) add_##name(bench, context, true);
  ATOLL_ANSWERING_KERNELS(ATOLL_ADD)
#undef ATOLL_ADD
#define ATOLL_ADD(name) add_bench_##name(bench, context);
  ATOLL_MERE_BENCHMARKS(ATOLL_ADD)
#undef ATOLL_ADD
}

}  // namespace atl::app
