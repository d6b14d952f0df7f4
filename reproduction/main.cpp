// The program `atoll-papers` repeats measurements of published papers. The scripts in experiments/
// draw figures from its results. The command NAME is in the file NAME/NAME_command.cpp. Flags and
// JSON output of the commands are the same as those of `atoll bench`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"

// The commands, in the order in which --help lists them.
#define ATOLL_PAPERS(command)                                                                      \
  command(bfs) command(cc) command(pagerank) command(mst) command(sort) command(concurrency)       \
      command(model)

namespace atl::reproduction {

#define ATOLL_DECLARE(name) void add_##name(CLI::App& root, app::command_context& context);
ATOLL_PAPERS(ATOLL_DECLARE)
#undef ATOLL_DECLARE

namespace {

int run_program(int argc, char** argv) {
  app::command_context context;
  context.settings = settings::take_flags(argc, argv);
  const auto root = app::new_program(
      "What the papers measured: their variants of kernels, and the prices of the model.",
      "atoll-papers");
#define ATOLL_ADD(name) add_##name(*root, context);
  ATOLL_PAPERS(ATOLL_ADD)
#undef ATOLL_ADD
  return app::run_command_line(*root, context, argc, argv);
}

}  // namespace
}  // namespace atl::reproduction

int main(int argc, char** argv) {
  return atl::app::guarded_program([&] { return atl::reproduction::run_program(argc, argv); });
}
