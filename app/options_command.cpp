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

Every setting has a name, a flag and an environment variable. A program of your own accepts the flag
`--atoll-NAME VALUE` (or `--atoll-NAME=VALUE`), and does not touch other flags. The program `atoll` also
accepts the short form `--NAME VALUE`. If both the flag and the variable are given, the flag counts. An empty
variable has no effect. An unknown flag `--atoll-...` or a value out of range is an error, with exit status 2.
The error suggests the most similar known flag. A variable `ATOLL_...` that differs from a known one by a few
letters is also an error. Any other unknown variable `ATOLL_...` has no effect, and a warning is printed. There
is no warning for variables that modules and containers set, such as `ATOLL_ROOT` and `ATOLL_PORT`.

)";

constexpr std::string_view k_measurement_preface = R"(
## Settings for measurements

Benchmarks, models of a cluster and tests of the runtime use the following settings. Every program accepts
them. The help of `atoll bench` and `atoll-papers` shows them, and `atoll options --measurement` lists them.

)";

constexpr std::string_view epilogue = R"(
Types: a *count* is a whole number. A *size* is a number of bytes, which may have a unit: `100`, `64KiB`,
`2MB`, `1GiB`. A *duration* must have a unit: `7ns`, `50us`, `100ms`, `10s`, `2min`; only `0` needs no unit. The
value of *on_off* is `on` or `off`. A *choice* is one of the words of the range. The word in the column
*default* is always a valid value.
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
