// `atoll bench`: the micro-benchmarks. Without a name it lists them. Each is a file
// NAME_command.cpp beside this one, stack and queue one together.

#include "app/command.hpp"

#include <iostream>

// The benchmarks, in the order of the list.
#define ATOLL_BENCHMARKS(benchmark)                                                                \
  benchmark(context_switch) benchmark(messages) benchmark(stealing) benchmark(concurrency)         \
      benchmark(stack) benchmark(queue)

namespace atoll::app {

#define ATOLL_DECLARE(name) void add_##name(CLI::App& bench, command_context& context);
ATOLL_BENCHMARKS(ATOLL_DECLARE)
#undef ATOLL_DECLARE

void add_bench(CLI::App& root, command_context& context) {
  CLI::App& bench = *root.add_subcommand("bench", "Measure parts of the runtime; alone: list them");
#define ATOLL_ADD(name) add_##name(bench, context);
  ATOLL_BENCHMARKS(ATOLL_ADD)
#undef ATOLL_ADD
  bench.callback([&root, &bench, &context] {
    if (!bench.get_subcommands().empty()) return;  // its own action is set already
    context.action = [&root, &bench] {
      std::cout << bench.help(root.get_name());
      return 0;
    };
  });
}

}  // namespace atoll::app
