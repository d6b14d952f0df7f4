#pragma once

#include <string>

namespace atl::observe {

/// Throws atl::error (environment) where `write_metrics` could not write `file`, which it leaves as
/// it is. Empty: there is none.
void check_metrics_file(const std::string& file);

}  // namespace atl::observe
