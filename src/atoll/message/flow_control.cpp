#include "atoll/message/flow_control.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/mutants.hpp"

#include <algorithm>

namespace atl::message {
namespace {

constexpr int k_most_sent_in_round = 4;
constexpr transport::nanoseconds k_pause_in_backlog = 20'000'000;

}  // namespace

flow_control::flow_control(transport::endpoint& transport, observe::counters& counters,
                           std::uint64_t overflow_limit)
    : transport_(transport), counters_(counters), overflow_(transport, overflow_limit) {}

// A buffer must not overtake those of its destination that wait.
flow_control::room flow_control::open(int destination, traffic kind, site where) {
  if (mutants::has(mutants::fault::broken_order) || !overflow_.waits(destination)) {
    if (std::byte* const room = transport_.acquire(destination)) return {room, false};
  }
  if (may_be_refused(kind)) check_limit(where);
  return {open_in_overflow(), true};
}

void flow_control::check_limit(site where) const {
  if (!overflow_.beyond_limit()) return;
  fail(errc::overflow,
       "--overflow-limit: more than {} bytes of messages sent at {} wait for room; write "
       "`co_await room()` in the loop that sends them, or raise the limit",
       overflow_.limit(), to_string(where));
}

std::byte* flow_control::open_in_overflow() {
  std::byte* const buffer = overflow_.open();
  ++open_in_overflow_;
  ++counters_.buffers_overflowed;
  congested_ = true;
  has_room_ = false;
  return buffer;
}

void flow_control::close(int destination, std::byte* buffer, std::uint32_t bytes) {
  overflow_.push(destination, buffer, bytes);
  counters_.overflow_bytes_peak =
      std::max<std::uint64_t>(counters_.overflow_bytes_peak, overflow_.bytes());
  --open_in_overflow_;
}

void flow_control::count_sent() {
  if (++sent_in_round_ == k_most_sent_in_round) has_room_ = false;
}

bool flow_control::drain() {
  const bool moved = overflow_.drain();
  congested_ = !overflow_.empty() || fills_overflow();
  return moved;
}

void flow_control::drain_beside(int self) {
  while (overflow_.waits_beside(self)) {
    if (!overflow_.drain()) transport_.wait(transport::forever, transport::awaited::room);
  }
}

// Each message that is delivered may send another to a PE for which much waits, so no more is
// delivered than that PE takes; PEs that send to this one then find no room. A circle of PEs that
// wait for each other comes loose by the one buffer that each of them delivers now and then.
std::uint64_t flow_control::delivery_allowance() {
  if (overflow_.allowance() != 0) return overflow_.allowance();
  const auto time = transport_.now();
  if (time < next_delivery_) return 0;
  next_delivery_ = time + k_pause_in_backlog;
  return 1;
}

void flow_control::begin_round() {
  sent_in_round_ = 0;
  has_room_ = !congested_;
}

void flow_control::wait(transport::nanoseconds deadline) {
  if (overflow_.allowance() == 0) {
    transport_.wait(std::min(deadline, next_delivery_), transport::awaited::room);
  } else {
    transport_.wait(deadline);
  }
}

}  // namespace atl::message
