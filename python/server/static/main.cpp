// The program `atoll-server`, which is in the wheel of the Python package: the command `serve` of
// the program `atoll`, and nothing else.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"

namespace atl::app {

void add_serve(CLI::App& root, command_context& context);

namespace {

int run_program(int argc, char** argv) {
  command_context context;
  context.arguments.assign(argv, argv + argc + 1);
  context.settings = settings::take_flags(argc, argv);
  const auto root = new_program("The server of the Python package atoll.");
  add_serve(*root, context);
  return run_command_line(*root, context, argc, argv);
}

}  // namespace
}  // namespace atl::app

int main(int argc, char** argv) {
  using namespace atl::app;
  return guarded_program([&] { return run_program(argc, argv); });
}
