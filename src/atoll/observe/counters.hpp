#pragma once
// Counters of one PE: plain integers that only their PE writes. The table counters.def defines the
// struct, the descriptions and the JSON.
//
// In a build with ATOLL_COUNTERS=OFF, counters take no instruction and are always 0, which serves
// to measure their cost (tools/count_cost.sh). Counts that the runtime itself needs are kept
// elsewhere.

#include "atoll/histogram.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace atl::observe {

#ifdef ATOLL_NO_COUNTERS
inline constexpr bool counts = false;

/// An integer that stays 0 whatever is done to it.
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

/// Returns every counter, in the order of the table.
std::span<const counter_description> counter_table();

/// Returns the counters of all PEs combined: each as a sum or a maximum.
counters combined(std::span<const counters> of_pes);

/// Returns the counts between two readings of one PE (peaks: the later reading).
counters difference(const counters& later, const counters& earlier);

/// An activity of a PE, and the counter of its time. All activities together make up the time of
/// the PE, except its start and end.
struct activity_description {
  std::string_view name;
  counter counters::* nanoseconds;
};
std::span<const activity_description> activity_table();

/// Returns the document for `--metrics FILE`. It has every counter with unit, sentence, total and
/// value per PE. Averages that users look for first follow: bytes per message, bytes per buffer,
/// and ready tasks. Further parts are the time by activity, and the latency of blocking delegates
/// (ns).
std::string metrics_text(std::span<const counters> of_pes, const log_histogram& latencies = {});

/// Writes metrics_text to `file` ("-": standard output). Throws atl::error (environment).
void write_metrics(const std::string& file, std::span<const counters> of_pes,
                   const log_histogram& latencies = {});

/// Throws atl::error (environment) if `write_metrics` could not write `file`, which is left
/// unchanged. An empty name means no file.
void check_metrics_file(const std::string& file);

}  // namespace atl::observe
