// `atoll info FILE`: what a file of edges holds.

#include "app/command.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "app/graph_info.hpp"
#include "app/input_flags.hpp"

#include <iostream>
#include <memory>

namespace atl::app {
namespace {

struct info_flags {
  graph_files files;
  std::string json;
  bool directed = false;
};

int show_info(info_flags flags, const settings& options) {
  check_json_file(flags.json);
  open_input(flags.files);
  const auto info = look_at_graph(flags.files, flags.directed);
  if (flags.json != "-") std::cout << text_of(info);
  if (flags.json.empty()) return 0;
  report result("info", options);
  add_to(result, info);
  const auto json = result.json_text();
  if (flags.json == "-") {
    std::cout << json;
  } else {
    write_json(flags.json, json);
  }
  return 0;
}

}  // namespace

void add_info(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<info_flags>();
  auto& command = add_command(root, context, "info", "Describe the graph in a file of edges",
                              [=, &context] { return show_info(*flags, context.settings); });
  add_text_flag(command, "FILE", "", flags->files.edges, help_of_graph("A graph")).required();
  add_text_flag(command, "--names", "FILE", flags->files.names,
                "A file whose line i, from 0 on, names vertex i");
  add_input_flags(command, flags->files, "Reading FILE");
  add_weights_flag(command, flags->files, "Reading FILE");
  add_switch(command, "--directed", flags->directed,
             "Edges have a direction: degrees out and in, too");
  add_text_flag(command, "--json", "FILE", flags->json,
                "Write the result as JSON; - is standard output");
}

}  // namespace atl::app
