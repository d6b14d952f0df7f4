#pragma once
// What people and programs read about a minimum spanning forest.

#include "app/mst_findings.hpp"
#include "app/mst_flags.hpp"
#include "app/report.hpp"

namespace atl::app {

void add_mst_parameters(report& result, const mst_flags& flags);

/// Adds metrics, sections and lines.
void describe(report& result, const mst_flags& flags, const mst_findings& found);

}  // namespace atl::app
