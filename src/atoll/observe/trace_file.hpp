#pragma once
// The trace as a file that Perfetto and chrome://tracing open (Trace Event Format, JSON).

#include "atoll/base/site.hpp"
#include "atoll/observe/trace.hpp"

#include <string>

namespace atl::observe {

/// Leaves a file without events that says why it has none: the job was ended before its trace was
/// written; does nothing to a pipe or a device. Throws atl::error (environment) where no file can
/// be.
void begin_trace_file(const std::string& file);

/// The events of all PEs in place of that: a process for each PE, times from the first event on.
/// `site_of` knows the sites behind the words. Throws atl::error (environment), and leaves no file
/// then.
void write_trace_file(const std::string& file, const trace_rings& rings, bool ended_early,
                      site (*site_of)(std::uint64_t));

}  // namespace atl::observe
