#pragma once
// Whether runs on one graph agree with each other, and the last of them with the check of its
// forest.

#include "atoll/kernels/mst/run.hpp"
#include "atoll/kernels/mst/validation.hpp"

#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>

namespace atl::kernels::mst {

/// "3 edges of weight 12".
inline std::string total_text(std::uint64_t edges, int128 weight) {
  return fmt::format("{} edges of weight {}", edges, weight);
}

inline std::string total_text(const run_outcome& found) {
  return total_text(found.forest_edges, found.weight.value());
}

/// What is wrong first with the runs, of which there is one at least, in a sentence; empty when all
/// is right. `check` is about the forest of the last one, where it was checked.
inline std::string disagreement(std::span<const run_outcome> runs,
                                const std::optional<forest_check<std::int64_t>>& check) {
  const run_outcome& last = runs.back();
  for (const auto& one : runs) {
    if (one.weight == last.weight && one.forest_edges == last.forest_edges) continue;
    return fmt::format("two trials differ: one has {}, the last has {}", total_text(one),
                       total_text(last));
  }
  if (!check) return "";
  if (!check->right()) return "wrong forest: " + check->text();
  if (last.forest_edges == check->edges && last.weight.value() == check->weight) return "";
  return fmt::format("wrong total: the run counted {}, and its forest has {}", total_text(last),
                     total_text(check->edges, check->weight));
}

}  // namespace atl::kernels::mst
