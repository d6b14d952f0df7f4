// When the engine hands over buffers that are not full.

#include "atoll/message/engine.hpp"

#include <algorithm>
#include <utility>

namespace atoll::message {
namespace {

constexpr std::size_t k_most_looked_at = 32;
constexpr transport::nanoseconds k_distant_pace = 5'000;
constexpr transport::nanoseconds k_at_a_time = 16;
constexpr transport::nanoseconds k_longest_hold = 100'000;

}  // namespace

void engine::flush(int destination) {
  const int hop = hops_[destination];
  if (!outgoing_[hop].is_open()) return;
  ++counters_.buffers_flushed;
  submit(hop);
}

template <class May>
bool engine::flush_where(const May& may) {
  bool flushed = false;
  oldest_open_ = transport::forever;
  std::erase_if(open_destinations_, [&](int destination) {
    auto& state = buffer_states_[destination];
    const bool is_open = has_open_buffer(destination);
    if (is_open && !may(destination)) {
      if (!state.in_overflow) oldest_open_ = std::min(oldest_open_, state.opened_at);
      return false;
    }
    state.listed = false;
    if (is_open) flush(destination);
    flushed |= is_open;
    return true;
  });
  return flushed;
}

bool engine::flush() {
  return flush_where([](int) { return true; });
}

void engine::flush_and_drain() {
  flush();
  while (overflow_.waits_beside(self_.rank)) {
    if (!overflow_.drain()) transport_.wait(transport::forever, transport::awaited::room);
  }
}

bool engine::flush_old() {
  if (oldest_open_ == transport::forever) return false;
  if (aggregation_ && transport_.now() - oldest_open_ <= flush_age_) return flush_large();
  return flush_where([this](int destination) { return !waits_for_room(destination); });
}

bool engine::flush_large() {
  bool flushed = false;
  const std::size_t open = open_destinations_.size();
  for (std::size_t i = 0; i < std::min(open, k_most_looked_at); ++i) {
    const int destination = open_destinations_[looked_at_++ % open];
    if (!has_open_buffer(destination) || waits_for_room(destination) ||
        outgoing_[destination].bytes() < k_large_buffer)
      continue;
    flush(destination);
    flushed = true;
  }
  return flushed;
}

// A network takes only so many messages a second from a node. If an idle PE answered each buffer
// that arrives at once, all buffers would be small, and the answers to them again. So it hands over
// one for another node every few microseconds only, but for some at a time after a pause. While
// something waits for room the network is busy as it is, and buffers fill by themselves.
bool engine::may_go(int destination, transport::nanoseconds time) {
  if (waits_for_room(destination)) return false;
  const auto& state = buffer_states_[destination];
  const auto hold = aggregation_ ? std::min(flush_age_, k_longest_hold) : 0;
  const auto held = congested_ ? state.opened_at + hold : time;
  const auto due = state.distant ? std::max(next_distant_, held) : held;
  if (due > time) {
    held_until_ = std::min(held_until_, due);
    return false;
  }
  if (state.distant)
    next_distant_ = std::max(next_distant_, time - k_at_a_time * k_distant_pace) + k_distant_pace;
  return true;
}

bool engine::flush_when_idle() {
  held_until_ = transport::forever;
  if (open_destinations_.empty()) return false;
  const auto time = transport_.now();
  return flush_where([&](int destination) { return may_go(destination, time); });
}

// Buffers that were opened without room stay open, and take more, until there is some: many small
// ones in the queue would each take the room of a large one.
void engine::close_where_room_is() {
  for (const int destination : open_destinations_) {
    if (waits_for_room(destination) && !overflow_.waits(destination) &&
        transport_.acquire(destination) != nullptr)
      flush(destination);
  }
}

bool engine::relieve() {
  if (open_in_overflow_ > 0) close_where_room_is();
  const bool moved = overflow_.drain();
  congested_ = !overflow_.empty() || open_in_overflow_ > 0;
  return moved;
}

}  // namespace atoll::message
