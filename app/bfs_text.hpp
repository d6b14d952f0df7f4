#pragma once

#include "app/bfs_findings.hpp"
#include "app/bfs_flags.hpp"

namespace atl::app {

/// Puts what was found into the result: metrics, parts of the JSON, and lines for people.
void describe(report& result, const bfs_flags& flags, const bfs_findings& found);

}  // namespace atl::app
