#pragma once
// The counters of one PE are plain integers that only this PE changes. The table counters.def lists
// the counters. The struct `counters`, the descriptions and the JSON file of --metrics are
// generated from the table.
//
// In a build with ATOLL_COUNTERS=OFF, counters are always 0 and cost no instructions. The script
// tools/count_cost.sh compares builds with and without counters to measure the cost of counting.
// The runtime must not depend on the value of a counter, because some builds have no counters.

#include "atoll/histogram.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace atl::observe {

#ifdef ATOLL_NO_COUNTERS
inline constexpr bool counts = false;

/// Replaces an integer in builds without counters. The value is always 0, and additions have no
/// effect.
struct counter {
  constexpr counter(std::uint64_t = 0) noexcept {}
  constexpr operator std::uint64_t() const noexcept { return 0; }
  constexpr counter& operator++() noexcept { return *this; }
  constexpr counter& operator+=(std::uint64_t) noexcept { return *this; }
  constexpr counter& operator-=(std::uint64_t) noexcept { return *this; }
};
#else
inline constexpr bool counts = true;
using counter = std::uint64_t;
#endif

struct counters {
#define ATOLL_COUNTER(name, unit, combine, sentence) counter name = 0;
#include "atoll/observe/counters.def"
#undef ATOLL_COUNTER
};

enum class combination { sum, max };

struct counter_description {
  std::string_view name;
  std::string_view unit;
  combination combine;
  std::string_view sentence;
  counter counters::* member;
};

/// Returns the descriptions of all counters, in the order of counters.def.
std::span<const counter_description> counter_table();

/// Combines the counters of all PEs into counters of the whole job. The description of a counter
/// says whether the result is the sum or the maximum of the PEs' values.
counters combined(std::span<const counters> of_pes);

/// Returns how much the counters of one PE have grown from the reading `earlier` to the reading
/// `later`. A counter that is a maximum keeps the value of `later`.
counters difference(const counters& later, const counters& earlier);

/// The name of an activity of a PE, and the counter of the nanoseconds that the PE spends on the
/// activity. The times of all activities add up to the run time of the PE, without the time of its
/// start and end.
struct activity_description {
  std::string_view name;
  counter counters::* nanoseconds;
};
std::span<const activity_description> activity_table();

/// Returns the JSON document for `--metrics FILE`. The document has each counter with its unit,
/// description, combined value and value per PE. The document also has the percentage of time that
/// each activity takes, and averages such as bytes per message. A blocking delegate is a function
/// call that runs on another PE while the calling task waits. The document states the latency of
/// blocking delegates in ns.
std::string metrics_text(std::span<const counters> of_pes, const log_histogram& latencies = {});

/// Writes the result of `metrics_text` to `file`, or to standard output if `file` is "-". Throws
/// atl::error (environment) if the file cannot be written.
void write_metrics(const std::string& file, std::span<const counters> of_pes,
                   const log_histogram& latencies = {});

/// Throws atl::error (environment) if `write_metrics` could not write `file`. The check leaves the
/// file unchanged. If `file` is empty, no file is wanted, and the function does nothing.
void check_metrics_file(const std::string& file);

}  // namespace atl::observe
