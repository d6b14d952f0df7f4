// Implements `atoll options`, which lists every setting.

#include "app/command.hpp"
#include "app/flags.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <memory>

namespace atl::app {
namespace {

std::string_view or_dash(std::string_view text) { return text.empty() ? "-" : text; }

// Escapes vertical bars, because a vertical bar would end the cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : or_dash(text)) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

constexpr std::string_view preface = R"(# Settings

<!-- Written by `atoll options --markdown`; a test compares. The source is src/atoll/base/settings.def. -->

Every setting has a name, a flag and a variable. A program of your own takes the flag `--atoll-NAME VALUE`
(or `--atoll-NAME=VALUE`) and leaves all other flags alone; the program `atoll` also takes the short form
`--NAME VALUE`. A flag goes above the variable; an empty variable is none. An unknown flag `--atoll-...` is
refused with the nearest known one, and so is a value out of range; the exit status is 2. A variable
`ATOLL_...` that differs from a known one by a few letters is refused, too. Any other unknown one changes
nothing, which is said, but for what modules and containers set, such as `ATOLL_ROOT` and `ATOLL_PORT`.

)";

constexpr std::string_view k_measurement_preface = R"(
## Settings for measurements

Benchmarks, models of a cluster and tests of the runtime change these. Every program takes them. The help of
`atoll bench` and `atoll-papers` shows them, and `atoll options --measurement` lists them.

)";

constexpr std::string_view epilogue = R"(
Types: *count* is a whole number. *size* is bytes, plain or with a unit: `100`, `64KiB`, `2MB`, `1GiB`.
*duration* needs a unit: `7ns`, `50us`, `100ms`, `10s`, `2min`; only `0` goes without. *on_off* is `on` or
`off`, *choice* one of the words of the range. What stands as the default may always be given.
)";

std::string table_of(setting_group group) {
  std::string text =
      "| name | variable | type | default | range | meaning |\n|---|---|---|---|---|---|\n";
  for (const auto& row : settings_table())
    if (row.group == group)
      text += fmt::format("| `{}` | `{}` | {} | {} | {} | {} |\n", row.name, row.variable(),
                          row.kind, cell(row.default_value), cell(row.range), row.help);
  return text;
}

}  // namespace

std::string settings_listing(const settings& present, setting_group group) {
  constexpr std::string_view line = "{:<17} {:<23} {:<9} {:<15} {:<15} {}\n";
  std::string text = fmt::format(line, "NAME", "VARIABLE", "TYPE", "DEFAULT", "NOW", "FROM");
  for (const auto& row : settings_table()) {
    const bool is_changed = present.origin(row.name) != "default";
    if (row.group != group && !is_changed) continue;
    const auto value = present.value(row.name);
    text += fmt::format(line, row.name, row.variable(), row.kind, or_dash(row.default_value),
                        or_dash(value), present.origin(row.name));
    text += fmt::format("    {}", row.help);
    text += row.range.empty() ? "\n" : fmt::format(" ({})\n", row.range);
  }
  if (group == setting_group::user)
    text +=
        fmt::format("\n`atoll options --measurement` lists the {} for measurements and models.\n",
                    std::ranges::count(settings_table(), setting_group::measurement,
                                       &setting_description::group));
  return text;
}

std::string settings_markdown() {
  std::string text(preface);
  text += table_of(setting_group::user);
  text += k_measurement_preface;
  text += table_of(setting_group::measurement);
  text += epilogue;
  return text;
}

void add_options(CLI::App& root, command_context& context) {
  struct choices {
    bool markdown = false;
    bool measurement = false;
  };
  const auto chosen = std::make_shared<choices>();
  auto& command =
      add_command(root, context, "options",
                  "List every setting: what it means, and its present value", [&context, chosen] {
                    const auto group =
                        chosen->measurement ? setting_group::measurement : setting_group::user;
                    std::cout << (chosen->markdown ? settings_markdown()
                                                   : settings_listing(context.settings, group));
                    return 0;
                  });
  add_switch(command, "--markdown", chosen->markdown, "Print the reference page");
  add_switch(command, "--measurement", chosen->measurement,
             "List the settings that only measurements and models change");
  add_settings_flags(command, context);
}

}  // namespace atl::app
