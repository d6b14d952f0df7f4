#pragma once
// Counters of one PE: plain integers that only their PE writes. counters.def is the one table from
// which the struct, the descriptions and the JSON come.

#include "atoll/base/namespace.hpp"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace atoll::observe {

struct counters {
#define ATOLL_COUNTER(name, unit, combine, sentence) std::uint64_t name = 0;
#include "atoll/observe/counters.def"
#undef ATOLL_COUNTER
};

enum class combination { sum, max };

struct counter_description {
  std::string_view name;
  std::string_view unit;
  combination combine;
  std::string_view sentence;
  std::uint64_t counters::* member;
};

/// Every counter, in the order of the table.
std::span<const counter_description> counter_table();

/// The counters of all PEs as one: sums, or the largest.
counters combined(std::span<const counters> of_pes);

/// What was counted between two readings of one PE (peaks: as read later).
counters difference(const counters& later, const counters& earlier);

/// The document that `--metrics FILE` holds: every counter with unit, sentence, total and value per
/// PE, and the averages that users look for first (bytes a message, bytes a buffer, ready tasks).
nlohmann::json metrics_json(std::span<const counters> of_pes);

/// Writes metrics_json to `file` ("-": standard output). Throws atoll::error (environment).
void write_metrics(const std::string& file, std::span<const counters> of_pes);

}  // namespace atoll::observe
