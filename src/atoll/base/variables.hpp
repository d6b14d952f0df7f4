#pragma once
// Environment variables whose names begin with ATOLL_, the prefix of settings.

#include "atoll/settings.hpp"

#include <string_view>
#include <vector>

namespace atl {

struct given_variable {
  std::string_view name;
  std::string_view value;
};

/// Returns the environment variables ATOLL_* that have a nonempty value.
std::vector<given_variable> given_variables();

/// Returns the description of the setting that the environment variable `name` sets, or null if
/// there is no such setting.
const setting_description* setting_of_variable(std::string_view name);

/// Returns whether `name` is probably a misspelt setting, because only few letters differ from the
/// variable of a setting. The result is false for variables that environment modules, build systems
/// and containers define for any software. For example, the result is false for ATOLL_ROOT,
/// ATOLL_INCLUDE_DIR and ATOLL_PORT_80_TCP.
bool is_misspelt_setting(std::string_view name);

/// Prints a warning for each environment variable ATOLL_* that does not belong to a setting. The
/// function prints no warning for variables that environment modules, build systems and containers
/// define. Only the first call in a process has an effect.
void warn_of_ignored_variables();

}  // namespace atl
