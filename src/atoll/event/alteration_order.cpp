#include "atoll/event/alteration_order.hpp"

#include "atoll/base/mutants.hpp"

#include <algorithm>

namespace atl::events {

void increases_seen::note(int pe, stamp earlier) {
  const stamp added(pe, ++seen_[pe]);
  if (!has(earlier)) gaps_.push_back({added, earlier});
  while (std::erase_if(gaps_, [this](const gap& each) { return has(each.missing); }) != 0) {
  }
}

bool increases_seen::has(stamp asked) const {
  if (asked.is_none() || mutants::has(mutants::fault::early_arrival)) return true;
  const auto found = seen_.find(asked.pe());
  if (found == seen_.end() || found->second < asked.number()) return false;
  return std::ranges::none_of(gaps_, [asked](const gap& each) { return each.later == asked; });
}

}  // namespace atl::events
