#pragma once
// Environment variables with the prefix of settings, which are meant for Atoll.

#include "atoll/settings.hpp"

#include <string_view>
#include <vector>

namespace atl {

struct given_variable {
  std::string_view name;
  std::string_view value;
};

/// Returns all ATOLL_* variables with a value; an empty value counts as none.
std::vector<given_variable> given_variables();

/// Returns the row of the table; null if the variable is no setting.
const setting_description* setting_of_variable(std::string_view name);

/// Returns whether the variable is a misspelt setting: it differs from one by few letters. Names
/// that environment modules, build systems and containers make for any software are none: places
/// and versions (ATOLL_ROOT, ATOLL_INCLUDE_DIR), and services (ATOLL_PORT_80_TCP).
bool is_misspelt_setting(std::string_view name);

/// Warns, once per process, of each given variable that has no effect because it is no setting, but
/// may be meant for Atoll.
void warn_of_ignored_variables();

}  // namespace atl
