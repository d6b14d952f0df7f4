#include "atoll/transport/sim/cores.hpp"

#include <algorithm>

namespace atl::transport::sim {

/// All move on by one, which changes nothing where the cores have equally many.
cores::core& cores::place_of(moment at) {
  const nanoseconds moves = at.time / between_moves;
  const auto turn = static_cast<std::size_t>((at.pe + moves) % pes_);
  return cores_[turn % cores_.size()];
}

cores::core* cores::held_by(int pe) {
  const auto found = std::ranges::find(cores_, pe, &core::holder);
  return found == cores_.end() ? nullptr : &*found;
}

/// A tick has passed since it began, and since somebody wants the core.
bool cores::is_over(const core& turn, nanoseconds now) const {
  if (turn.queue.empty()) return false;
  return now / tick_ > std::max(turn.since, turn.queue.front().since) / tick_;
}

nanoseconds cores::ask(moment at) {
  if (cores_.empty()) return at.time;
  core& place = place_of(at);
  if (place.holder == at.pe && !is_over(place, at.time)) return at.time;
  give_away(at);
  wait_at(place, at);
  const bool is_free = place.holder == nobody && place.since <= at.time;
  if (!is_free || place.queue.front().pe != at.pe) return at.time + between_questions;
  return take(place, at);
}

void cores::wait_at(core& place, moment at) {
  const auto is_it = [&](const waiting& each) { return each.pe == at.pe; };
  for (core& other : cores_)
    if (&other != &place) std::erase_if(other.queue, is_it);
  if (std::ranges::none_of(place.queue, is_it)) place.queue.push_back({at.pe, at.time});
}

nanoseconds cores::take(core& free, moment at) const {
  free.queue.pop_front();
  free.since = at.time + (free.last == at.pe ? 0 : change_);
  free.holder = free.last = at.pe;
  return free.since;
}

void cores::give_away(moment at) {
  core* const held = held_by(at.pe);
  if (held == nullptr) return;
  held->holder = nobody;
  held->since = at.time;
}

}  // namespace atl::transport::sim
