#pragma once

#include <string>

namespace atl::app {

/// The value of --mix, a part from 0 to 1. Throws atl::error (input).
double parse_mix(const std::string& text);

}  // namespace atl::app
