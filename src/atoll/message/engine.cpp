#include "atoll/message/engine.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/mutants.hpp"

#include <algorithm>
#include <utility>

namespace atoll::message {
namespace {

constexpr int k_most_buffers_a_turn = 64;
constexpr int k_buffers_sent_a_turn = 4;
constexpr std::uint32_t k_most_padding = 16;  // as a part of a buffer
constexpr transport::nanoseconds k_pause_in_backlog = 20'000'000;

std::uint32_t pack(std::byte* buffer, std::uint32_t bytes) {
  return static_cast<std::uint32_t>(without_padding(buffer, buffer + bytes) - buffer);
}

}  // namespace

engine::engine(pe& self, const settings& options)
    : self_(self),
      transport_(*self.transport),
      recorder_(*self.recorder),
      counters_(*self.counters),
      outgoing_(self.size),
      buffer_states_(self.size),
      enclosing_(&unscoped_slot_),
      aggregation_(options.aggregation),
      flush_age_(options.flush_age),
      overflow_(transport_, options.overflow_limit) {
  route(aggregation_ ? options.routing : routing::direct);
}

engine::~engine() {
  for (int destination = 0; destination < self_.size; ++destination) {
    if (buffer_states_[destination].in_overflow) delete[] outgoing_[destination].buffer();
  }
}

void engine::prepare(int destination, run_function run, traffic kind, activity* scope,
                     std::size_t bytes, site where) {
  ATOLL_ASSERT(bytes + k_run_overhead + k_parcel_overhead <= transport_.buffer_capacity(),
               "a message with its payload must fit one network buffer");
  outgoing& out = outgoing_[destination];
  const handler_name name = handlers_.name_of(run);
  ++counters_.runs_opened;
  if (aggregation_ && out.begin(run, name, scope, bytes)) return;
  if (hops_[destination] != destination) {
    open_parcel(destination, bytes, kind, where);
  } else {
    if (out.is_open()) submit(destination);
    open_buffer(destination, kind, where);
  }
  out.begin(run, name, scope, bytes);
  if (!aggregation_) out.admit_only(bytes);
}

void engine::open_buffer(int destination, traffic kind, site where) {
  outgoing& out = outgoing_[destination];
  auto& state = buffer_states_[destination];
  const bool in_turn = mutants::has(mutants::fault::broken_order) || !overflow_.waits(destination);
  std::byte* room = in_turn ? transport_.acquire(destination) : nullptr;
  const bool waits = room == nullptr;
  if (waits && kind != traffic::control && kind != traffic::owed) check_limit(where);
  out.open(waits ? open_in_overflow() : room, transport_.buffer_capacity());
  state.in_overflow = waits;
  counters_.open_buffers_peak = std::max(counters_.open_buffers_peak, ++open_buffers_);
  if (!state.listed) {
    state.listed = true;
    open_destinations_.push_back(destination);
  }
  const bool first = oldest_open_ == transport::forever;
  state.opened_at = first || congested_ ? transport_.now() : oldest_open_;
  if (first) oldest_open_ = state.opened_at;
}

void engine::check_limit(site where) const {
  if (!overflow_.beyond_limit()) return;
  fail(errc::overflow,
       "--overflow-limit: more than {} bytes of messages sent at {} wait for room; write "
       "`co_await room()` in the loop that sends them, or raise the limit",
       overflow_.limit(), to_string(where));
}

std::byte* engine::open_in_overflow() {
  std::byte* buffer = overflow_.open();
  ++open_in_overflow_;
  ++counters_.buffers_overflowed;
  congested_ = true;
  has_room_ = false;
  return buffer;
}

void engine::submit(int destination) {
  outgoing& out = outgoing_[destination];
  auto& state = buffer_states_[destination];
  if (!state.parcels.empty()) close_parcels(destination);
  std::byte* const buffer = out.buffer();
  std::uint32_t bytes = out.close();
  --open_buffers_;
  if (std::exchange(state.padding, 0) > bytes / k_most_padding) bytes = pack(buffer, bytes);
  counters_.messages_submitted += out.created - std::exchange(out.submitted, out.created);
  if (state.in_overflow) {
    overflow_.push(destination, buffer, bytes);
    counters_.overflow_bytes_peak =
        std::max<std::uint64_t>(counters_.overflow_bytes_peak, overflow_.bytes());
    --open_in_overflow_;
  } else {
    hand_over(destination, bytes);
  }
  if (++buffers_this_turn_ == k_buffers_sent_a_turn) has_room_ = false;
  ++counters_.buffers_sent;
  counters_.buffer_bytes_sent += bytes;
  state.in_overflow = false;
}

// Two looks at the clock are nothing beside the copy of a large buffer; small ones are told apart
// from what sends them only where a flush hands them over.
void engine::hand_over(int destination, std::uint32_t bytes) {
  if (!observe::counts || bytes < k_large_buffer) {
    recorder_.note(observe::traced::submit, destination, 0, bytes);
    return transport_.submit(destination, bytes);
  }
  const auto begin = transport_.now();
  transport_.submit(destination, bytes);
  const auto end = transport_.now();
  recorder_.time.spent_within(counters_.aggregation_nanoseconds, begin, end);
  if (recorder_.trace) [[unlikely]]
    recorder_.trace.add({begin, end, observe::traced::submit, destination, 0, bytes, 0});
}

// A circle of PEs that wait for each other comes loose by the one buffer that each of them delivers
// now and then.
std::uint64_t engine::delivery_allowance() {
  if (overflow_.allowance() != 0) return overflow_.allowance();
  const auto time = transport_.now();
  if (time < next_delivery_) return 0;
  next_delivery_ = time + k_pause_in_backlog;
  return 1;
}

void engine::wait(transport::nanoseconds deadline) {
  if (overflow_.allowance() == 0) {
    transport_.wait(std::min({deadline, next_delivery_, held_until_}), transport::awaited::room);
  } else {
    transport_.wait(std::min(deadline, held_until_));
  }
}

bool engine::progress() {
  std::uint64_t delivered = 0;
  const std::uint64_t allowance = delivery_allowance();
  for (int i = 0; i < k_most_buffers_a_turn && delivered < allowance; ++i) {
    const auto buffer = transport_.poll();
    if (buffer.data == nullptr) break;
    deliver(buffer);
    delivered += buffer.bytes;
    transport_.release();
  }
  const bool stuck = mutants::has(mutants::fault::lost_room) && delivered == 0;
  const bool moved = congested_ && !stuck && relieve();
  buffers_this_turn_ = 0;
  has_room_ = !congested_;
  return moved || delivered != 0;
}

std::uint64_t engine::created() const {
  std::uint64_t total = 0;
  for (const auto& out : outgoing_) total += out.created;
  return total;
}

void engine::update_counters() {
  counters_.messages_executed = executed_of_others_;
  counters_.local_messages_executed = executed_of_own_;
  counters_.messages_sent = 0;
  for (int destination = 0; destination < self_.size; ++destination) {
    if (destination == self_.rank) continue;
    const auto& out = outgoing_[destination];
    counters_.messages_sent += out.created;
  }
  counters_.network_messages_sent = transport_.to_network().messages;
  counters_.network_bytes_sent = transport_.to_network().bytes;
}

}  // namespace atoll::message
