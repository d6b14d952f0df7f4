#pragma once
// The table of settings as text.

#include "atoll/settings.hpp"

#include <string>

namespace atl::app {

/// For a terminal: two lines a setting, with the present value and where it comes from.
std::string settings_listing(const settings& present);

/// The whole file docs/reference/settings.md.
std::string settings_markdown();

}  // namespace atl::app
