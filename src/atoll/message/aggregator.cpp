#include "atoll/message/aggregator.hpp"

#include "atoll/base/error.hpp"
#include "atoll/message/parcel.hpp"

#include <algorithm>
#include <cstring>

namespace atl::message {
namespace {

constexpr std::uint32_t k_most_padding = 16;  // as a part of a buffer

std::uint32_t pack(std::byte* buffer, std::uint32_t bytes) {
  return static_cast<std::uint32_t>(without_padding(buffer, buffer + bytes) - buffer);
}

}  // namespace

aggregator::aggregator(pe& self, bool aggregates, handler_table& handlers, route_table& routes,
                       flow_control& flow)
    : outgoing_(self.size),
      size_(static_cast<std::uint32_t>(self.size)),
      aggregates_(aggregates),
      transport_(*self.transport),
      recorder_(*self.recorder),
      counters_(*self.counters),
      handlers_(handlers),
      routes_(routes),
      flow_(flow),
      buffers_(self.size),
      parcels_(self.rank, outgoing_, routes, counters_) {}

aggregator::~aggregator() {
  for (const int destination : buffers_.destinations()) {
    if (buffers_.in_overflow(destination)) delete[] outgoing_[destination].buffer();
  }
}

void aggregator::refuse(int destination) const {
  const char* const null = destination == -1 ? " (as of a null global_address)" : "";
  fail(errc::input, "a message was sent to PE {}{}; there are {} PEs", destination, null, size_);
}

void aggregator::begin_run(int destination, run_function run, traffic kind, activity* scope,
                           std::size_t bytes, site where) {
  ATOLL_ASSERT(bytes + k_run_overhead + k_parcel_overhead <= transport_.buffer_capacity(),
               "a message with its payload must fit one network buffer");
  outgoing& out = outgoing_[destination];
  if (out.resume(run, scope, bytes)) return;
  ++counters_.runs_opened;
  const handler_name name = handlers_.name_of(run);
  if (aggregates_ && out.begin(run, name, scope, bytes)) return;
  if (routes_.is_direct(destination)) {
    if (out.is_open()) submit(destination);
    open_buffer(destination, kind, where);
  } else {
    open_parcel(destination, bytes, kind, where);
  }
  out.begin(run, name, scope, bytes);
  if (!aggregates_) out.admit_only(bytes);
}

// The clock is read for the first buffer after a flush only, or where it matters.
void aggregator::open_buffer(int destination, traffic kind, site where) {
  const auto [memory, in_overflow] = flow_.open(destination, kind, where);
  outgoing_[destination].open(memory, transport_.buffer_capacity());
  const auto oldest = buffers_.oldest();
  const bool reads_clock = oldest == transport::forever || flow_.congested();
  buffers_.add(destination, in_overflow, reads_clock ? transport_.now() : oldest);
  counters_.open_buffers_peak =
      std::max<std::uint64_t>(counters_.open_buffers_peak, buffers_.count());
}

void aggregator::open_parcel(int destination, std::size_t bytes, traffic kind, site where) {
  if (outgoing_[destination].is_open()) parcels_.close(destination);
  const int hop = routes_.hop(destination);
  const std::size_t size =
      std::max(routes_.parcel_bytes(hop), bytes + k_run_overhead + k_parcel_overhead);
  parcels_.open(destination, room_in_buffer(hop, size, kind, where), size);
}

std::byte* aggregator::room_in_buffer(int hop, std::size_t bytes, traffic kind, site where) {
  outgoing& carrier = outgoing_[hop];
  if (carrier.is_open()) {
    if (std::byte* const room = carrier.reserve(bytes)) return room;
    submit(hop);
  }
  open_buffer(hop, kind, where);
  return carrier.reserve(bytes);
}

void aggregator::forward(int destination, const std::byte* parcel, std::size_t bytes) {
  std::byte* const room =
      room_in_buffer(routes_.hop(destination), bytes, traffic::control, site::current());
  std::memcpy(room, parcel, bytes);
  ++counters_.parcels_forwarded;
  counters_.parcel_bytes_forwarded += bytes;
}

void aggregator::flush(int destination) {
  const int hop = routes_.hop(destination);
  if (!outgoing_[hop].is_open()) return;
  ++counters_.buffers_flushed;
  submit(hop);
}

int aggregator::leave_route(int destination) {
  if (!routes_.is_direct(destination) && outgoing_[destination].is_open())
    parcels_.close(destination);
  return routes_.divert(destination, destination);
}

void aggregator::return_to_route(int destination, int hop) {
  flush(destination);
  routes_.divert(destination, hop);
}

void aggregator::submit(int destination) {
  parcels_.close_all(destination);
  outgoing& out = outgoing_[destination];
  std::byte* const buffer = out.buffer();
  std::uint32_t bytes = out.close();
  if (parcels_.take_padding(destination) > bytes / k_most_padding) bytes = pack(buffer, bytes);
  counters_.messages_submitted += out.take_unsubmitted();
  if (buffers_.remove(destination)) {
    flow_.close(destination, buffer, bytes);
  } else {
    hand_over(destination, bytes);
  }
  flow_.count_sent();
  ++counters_.buffers_sent;
  counters_.buffer_bytes_sent += bytes;
}

// Two looks at the clock are nothing beside the copy of a large buffer; small ones are told apart
// from what sends them only where a flush hands them over.
void aggregator::hand_over(int destination, std::uint32_t bytes) {
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

std::uint64_t aggregator::created() const {
  std::uint64_t total = 0;
  for (const auto& out : outgoing_) total += out.created;
  return total;
}

}  // namespace atl::message
