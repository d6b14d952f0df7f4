#include "atoll/transport/sim/cores.hpp"

#include <algorithm>

namespace atl::transport::sim {

/// A tick has passed since it began, and since somebody wants the core.
bool cores::is_over(const core& turn, nanoseconds now) const {
  if (turn.queue.empty()) return false;
  return now / tick_ > std::max(turn.since, turn.queue.front().since) / tick_;
}

nanoseconds cores::ask(moment at) {
  if (cores_.empty()) return at.time;
  core& wanted = core_of(at.pe);
  if (wanted.holder == at.pe) {
    if (!is_over(wanted, at.time)) return at.time;
    give_away(at);
  }
  if (std::ranges::find(wanted.queue, at.pe, &waiting::pe) == wanted.queue.end())
    wanted.queue.push_back({at.pe, at.time});
  const bool is_free = wanted.holder == nobody && wanted.since <= at.time;
  if (!is_free || wanted.queue.front().pe != at.pe) return at.time + between_questions;
  return take(wanted, at);
}

nanoseconds cores::take(core& free, moment at) const {
  free.queue.pop_front();
  free.since = at.time + (free.last == at.pe ? 0 : change_);
  free.holder = free.last = at.pe;
  return free.since;
}

void cores::give_away(moment at) {
  if (cores_.empty()) return;
  core& held = core_of(at.pe);
  if (held.holder != at.pe) return;
  held.holder = nobody;
  held.since = at.time;
}

}  // namespace atl::transport::sim
