#include "atoll/transport/sim/cores.hpp"

#include <algorithm>

namespace atl::transport::sim {

cores::core* cores::held_by(int pe) {
  const auto found = std::ranges::find(cores_, pe, &core::holder);
  return found == cores_.end() ? nullptr : &*found;
}

/// A tick has passed since it began, and since somebody wants it.
bool cores::is_over(const core& turn, nanoseconds now) const {
  if (queue_.empty()) return false;
  return now / tick_ > std::max(turn.since, queue_.front().since) / tick_;
}

/// The first in the queue gets a core that nobody has.
cores::core* cores::free_for(moment at) {
  if (queue_.front().pe != at.pe) return nullptr;
  const auto found = std::ranges::find_if(
      cores_, [&](const core& one) { return one.holder == nobody && one.since <= at.time; });
  return found == cores_.end() ? nullptr : &*found;
}

nanoseconds cores::ask(moment at) {
  if (cores_.empty()) return at.time;
  if (core* const mine = held_by(at.pe)) {
    if (!is_over(*mine, at.time)) return at.time;
    give_away(at);
  }
  if (std::ranges::find(queue_, at.pe, &waiting::pe) == queue_.end())
    queue_.push_back({at.pe, at.time});
  core* const free = free_for(at);
  if (free == nullptr) return at.time + between_questions;
  const nanoseconds begin = at.time + (free->last == at.pe ? 0 : change_);
  *free = {at.pe, at.pe, begin};
  queue_.pop_front();
  return begin;
}

void cores::give_away(moment at) {
  if (core* const mine = held_by(at.pe)) *mine = {nobody, at.pe, at.time};
}

}  // namespace atl::transport::sim
