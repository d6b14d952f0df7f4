// The program `atoll`. A kernel in kernels/ has a command that answers a question, a command that
// measures the kernel, or both. A command without a kernel is in a file NAME_command.cpp of this
// folder. Benchmarks of parts of the runtime are in another program, `atoll-bench`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/kernels/kernels.hpp"

#include <filesystem>

// The commands that do not run a kernel, in the order in which `atoll --help` lists them.
#define ATOLL_COMMANDS(command)                                                                    \
  command(info) command(convert) command(generate) command(options) command(doctor) command(top)   \
      command(serve)

namespace atl::app {

#define ATOLL_DECLARE(name) void add_##name(CLI::App& root, command_context& context);
ATOLL_COMMANDS(ATOLL_DECLARE)
#undef ATOLL_DECLARE

namespace {

bool bench_program_is_built() {
  return std::filesystem::exists(
      std::filesystem::read_symlink("/proc/self/exe").replace_filename(k_bench_program));
}

// Returns whether `atoll-bench` must run the command. `atoll-bench` runs each benchmark that does
// not measure a kernel. For `atoll bench` without a name, `atoll-bench` prints the list of all
// benchmarks if it was built.
bool is_for_bench_program(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "bench") return false;
  if (argc == 2 || argv[2][0] == '-') return bench_program_is_built();
  return !is_kernel_benchmark(argv[2]);
}

int run_program(int argc, char** argv) {
  command_context context;
  context.arguments.assign(argv, argv + argc + 1);
  context.settings = settings::take_flags(argc, argv);
  if (is_for_bench_program(argc, argv)) become_program(context, k_bench_program);
  const auto root = new_program("Irregular parallel programs: graphs, sorting, benchmarks.");
  add_kernels(*root, context);
#define ATOLL_ADD(name) add_##name(*root, context);
  ATOLL_COMMANDS(ATOLL_ADD)
#undef ATOLL_ADD
  add_kernel_benchmarks(add_command_group(*root, context, "bench", k_bench_help), context);
  return run_command_line(*root, context, argc, argv);
}

}  // namespace
}  // namespace atl::app

int main(int argc, char** argv) {
  using namespace atl::app;
  return guarded_program([&] { return run_program(argc, argv); });
}
