#pragma once

#include "app/pagerank_findings.hpp"
#include "app/pagerank_flags.hpp"
#include "app/report.hpp"

namespace atl::app {

/// Puts what was found into the result: metrics, parts of the JSON, and lines for people.
void describe(report& result, const pagerank_flags& flags, const pagerank_findings& found);

}  // namespace atl::app
