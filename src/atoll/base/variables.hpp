#pragma once
// The variables of the environment that begin like those of settings: which are meant for Atoll.

#include "atoll/settings.hpp"

#include <string_view>
#include <vector>

namespace atl {

struct given_variable {
  std::string_view name;
  std::string_view value;
};

/// All ATOLL_* that have a value; an empty one is none.
std::vector<given_variable> given_variables();

/// The row of the table; null where the variable is no setting.
const setting_description* setting_of_variable(std::string_view name);

/// The variable is no setting, but so few letters differ from one that it was meant. Never what
/// environment modules, build systems and containers name after any software: places and versions
/// (ATOLL_ROOT, ATOLL_INCLUDE_DIR), and services (ATOLL_PORT_80_TCP).
bool is_misspelt_setting(std::string_view name);

/// Warns, once in a process, of each given variable that is no setting and that somebody may have
/// meant for Atoll: it changes nothing.
void warn_of_ignored_variables();

}  // namespace atl
