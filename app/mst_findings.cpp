#include "app/mst_findings.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

std::string text_of(std::uint64_t edges, kernels::mst::int128 weight) {
  return fmt::format("{} edges of weight {}", edges, weight);
}

std::string text_of(const kernels::mst::run_outcome& found) {
  return text_of(found.forest_edges, found.weight.value());
}

}  // namespace

std::string mst_findings::fault_text() const {
  const auto& last = trials.back();
  for (const auto& one : trials) {
    if (one.weight == last.weight && one.forest_edges == last.forest_edges) continue;
    return fmt::format("two trials differ: one has {}, the last has {}", text_of(one),
                       text_of(last));
  }
  if (!check) return "";
  if (!check->right()) return "wrong forest: " + check->text();
  if (last.forest_edges == check->edges && last.weight.value() == check->weight) return "";
  return fmt::format("wrong total: the run counted {}, and its forest has {}", text_of(last),
                     text_of(check->edges, check->weight));
}

}  // namespace atl::app
