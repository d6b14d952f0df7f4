#pragma once
// Counters of one PE: plain integers that only their PE writes. counters.def is the one table from
// which the struct, the descriptions and the JSON come.
//
// Built with ATOLL_COUNTERS=OFF they take no instruction and are always 0: that is how their price
// is measured (tools/count_cost.sh). What the runtime itself counts by is not kept here.

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

/// Every counter, in the order of the table.
std::span<const counter_description> counter_table();

/// The counters of all PEs as one: sums, or the largest.
counters combined(std::span<const counters> of_pes);

/// What was counted between two readings of one PE (peaks: as read later).
counters difference(const counters& later, const counters& earlier);

/// What a PE does with its time; together these counters are all of it, but for its start and end.
struct activity_description {
  std::string_view name;
  counter counters::* nanoseconds;
};
std::span<const activity_description> activity_table();

/// The document that `--metrics FILE` holds: every counter with unit, sentence, total and value per
/// PE, the averages that users look for first (bytes a message, bytes a buffer, ready tasks), and
/// the time by activity, and the latency of blocking delegates (ns).
std::string metrics_text(std::span<const counters> of_pes, const log_histogram& latencies = {});

/// Writes metrics_text to `file` ("-": standard output). Throws atl::error (environment).
void write_metrics(const std::string& file, std::span<const counters> of_pes,
                   const log_histogram& latencies = {});

/// Throws atl::error (environment) where `write_metrics` could not write `file`, which it leaves as
/// it is. Empty: there is none.
void check_metrics_file(const std::string& file);

}  // namespace atl::observe
