// The program `atoll`. Each command is a file NAME_command.cpp beside this one, except for `bench`,
// which is the program `atoll-bench`.

#include "app/command.hpp"
#include "app/guarded.hpp"
#include "atoll/job/signal_scope.hpp"
#include "atoll/machine.hpp"

// The commands, as `atoll --help` lists them.
#define ATOLL_COMMANDS(command)                                                                    \
  command(gups) command(bfs) command(cc) command(mst) command(pagerank) command(sort) command(uts) \
      command(generate) command(convert) command(info) command(options) command(doctor)            \
          command(top)

namespace atl::app {

#define ATOLL_DECLARE(name) void add_##name(CLI::App& root, command_context& context);
ATOLL_COMMANDS(ATOLL_DECLARE)
#undef ATOLL_DECLARE

namespace {

int run_program(int argc, char** argv) {
  command_context context;
  context.arguments.assign(argv, argv + argc + 1);
  context.settings = settings::take_flags(argc, argv);
  const auto root = new_program("Irregular parallel programs: kernels, benchmarks, graphs.");
#define ATOLL_ADD(name) add_##name(*root, context);
  ATOLL_COMMANDS(ATOLL_ADD)
#undef ATOLL_ADD
  add_program(*root, context, "bench", k_bench_help, "atoll-bench");
  return run_command_line(*root, context, argc, argv);
}

}  // namespace
}  // namespace atl::app

int main(int argc, char** argv) {
  using namespace atl::app;
  atl::refuse_streams_that_were_closed();
  const atl::job::file_size_signal_ignored no_silent_death;
  return guarded([&] { return run_program(argc, argv); });
}
