#pragma once
// The result of `atoll sort` as people read it.

#include "app/report.hpp"
#include "app/sort_findings.hpp"
#include "app/sort_flags.hpp"

namespace atl::app {

void add_sort_parameters(report& result, const sort_flags& flags);

void describe(report& result, const sort_flags& flags, const sort_findings& found);

}  // namespace atl::app
