// `atoll options`: every setting.

#include "app/command.hpp"
#include "app/flags.hpp"
#include "app/settings_text.hpp"

#include <iostream>
#include <memory>

namespace atl::app {

void add_options(CLI::App& root, command_context& context) {
  const auto markdown = std::make_shared<bool>(false);
  auto& command = add_command(
      root, context, "options", "List every setting: what it means, and its present value",
      [&context, markdown] {
        std::cout << (*markdown ? settings_markdown() : settings_listing(context.settings));
        return 0;
      });
  add_switch(command, "--markdown", *markdown, "Print the reference page");
  add_settings_flags(command, context);
}

}  // namespace atl::app
