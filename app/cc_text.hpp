#pragma once

#include "app/cc_findings.hpp"
#include "app/cc_flags.hpp"

namespace atl::app {

/// Puts what was found into the result: metrics, parts of the JSON, and lines for people.
void describe(report& result, const cc_flags& flags, const cc_findings& found);

}  // namespace atl::app
