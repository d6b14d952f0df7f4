#pragma once
// Flags that take a number from 0 to 1.

#include "app/flags.hpp"

#include <string>

namespace atl::app {

/// The number. Throws `error` (input) that names the flag for anything else.
double parse_fraction(const std::string& flag, const std::string& text);

/// Adds a flag whose default is the present value. `value` lives as long as the command.
flag add_fraction_flag(CLI::App& command, const std::string& name, double& value,
                       const std::string& help);

}  // namespace atl::app
