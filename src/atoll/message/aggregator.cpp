#include "atoll/message/aggregator.hpp"

#include "atoll/error.hpp"
#include "atoll/message/parcels.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace atl::message {
namespace {

// If more than 1/16 of the bytes of a buffer are padding, the padding is removed before the buffer
// is sent.
constexpr std::uint32_t k_most_padding = 16;

std::uint32_t pack(std::byte* buffer, std::uint32_t bytes) {
  return static_cast<std::uint32_t>(without_padding(buffer, buffer + bytes) - buffer);
}

}  // namespace

aggregator::aggregator(pe& self, bool aggregates, handler_table& handlers, route_table& routes,
                       flow_control& flow)
    : streams_(self.rank, self.size, routes, [this](send_buffer& of) { parcels_.give_up(of); }),
      aggregates_(aggregates),
      transport_(*self.transport),
      recorder_(*self.recorder),
      counters_(*self.counters),
      handlers_(handlers),
      routes_(routes),
      flow_(flow),
      buffers_(streams_.places()),
      parcels_(self.rank, streams_, counters_) {}

aggregator::~aggregator() {
  for (const send_buffer* each : buffers_.listed()) {
    if (each->in_overflow) delete[] each->buffer();
  }
}

void aggregator::begin_run(send_buffer& out, const new_run& opened, site where) {
  ATOLL_ASSERT(opened.all_bytes() + k_run_overhead + k_parcel_overhead <=
                   transport_.buffer_capacity(),
               "a message with its payload must fit one network buffer");
  if (out.resume(opened.key, opened.scope, opened.bytes)) return;
  ++counters_.runs_opened;
  const handler_name name = handlers_.name_of(opened.function);
  if (aggregates_ && out.begin(opened, name)) return;
  if (out.is_direct()) {
    if (out.is_open()) submit(out);
    open_buffer(out, opened.kind, where);
  } else {
    open_parcel(out, opened.all_bytes(), opened.kind, where);
  }
  out.begin(opened, name);
  if (!aggregates_) out.admit_only(opened.bytes);
}

// If there is no memory for the `send_buffer` object, the function ends the job, because other PEs
// may wait forever for the unsent message.
send_buffer& aggregator::bring(int destination, site where) {
  try {
    return streams_.to(destination, where);
  } catch (const std::bad_alloc&) {
    flow_.without_memory(traffic::control, {});
  }
}

void aggregator::open_buffer(send_buffer& out, traffic kind, site where) {
  try {
    fill_fresh_buffer(out, kind, where);
  } catch (const std::bad_alloc&) {
    flow_.without_memory(kind, where);
  }
}

// To save time, the clock is not read for every new buffer. The clock is read for the first buffer
// after a flush. While messages wait for room at a receiver, the clock is read for each new buffer.
// If the clock is not read, a new buffer is recorded with the opening time of the oldest open
// buffer.
void aggregator::fill_fresh_buffer(send_buffer& out, traffic kind, site where) {
  buffers_.make_room();
  const auto [memory, in_overflow] = flow_.open(out.destination, kind, where);
  out.open(memory, transport_.buffer_capacity());
  const auto oldest = buffers_.oldest();
  const bool reads_clock = oldest == transport::forever || flow_.congested();
  buffers_.add(out, in_overflow, reads_clock ? transport_.now() : oldest);
  counters_.open_buffers_peak =
      std::max<std::uint64_t>(counters_.open_buffers_peak, buffers_.count());
}

void aggregator::open_parcel(send_buffer& out, std::size_t bytes, traffic kind, site where) {
  if (out.is_open()) parcels_.close(out);
  send_buffer& carrier = streams_.to(out.hop);
  const std::size_t size =
      std::max(routes_.parcel_bytes(out.hop), bytes + k_run_overhead + k_parcel_overhead);
  open_parcels::make_room(carrier);
  open_parcels::open(out, carrier, room_in_buffer(carrier, size, kind, where), size);
}

std::byte* aggregator::room_in_buffer(send_buffer& carrier, std::size_t bytes, traffic kind,
                                      site where) {
  if (carrier.is_open()) {
    if (std::byte* const room = carrier.reserve(bytes)) return room;
    submit(carrier);
  }
  open_buffer(carrier, kind, where);
  return carrier.reserve(bytes);
}

void aggregator::forward(int destination, const std::byte* parcel, std::size_t bytes) {
  send_buffer& carrier = to(routes_.hop(destination));
  std::byte* const room = room_in_buffer(carrier, bytes, traffic::control, site::current());
  std::memcpy(room, parcel, bytes);
  ++counters_.parcels_forwarded;
  counters_.parcel_bytes_forwarded += bytes;
}

void aggregator::flush(int destination) {
  if (send_buffer* const found = streams_.open_buffer_for(destination)) flush(*found);
}

void aggregator::flush(send_buffer& buffer) {
  ++counters_.buffers_flushed;
  submit(buffer);
}

void aggregator::end_detour(send_buffer& detour) {
  if (detour.is_open()) flush(detour);
  streams_.end_detour(detour);
}

void aggregator::go_directly() noexcept {
  routes_.go_directly();
  streams_.forget_hops();
}

void aggregator::submit(send_buffer& out) {
  parcels_.close_all(out);
  std::byte* const buffer = out.buffer();
  std::uint32_t bytes = out.close();
  if (open_parcels::take_padding(out) > bytes / k_most_padding) bytes = pack(buffer, bytes);
  counters_.messages_submitted += streams_.take_created(out);
  if (buffers_.remove(out)) {
    flow_.close(out.destination, buffer, bytes);
  } else {
    hand_over(out.destination, bytes);
  }
  flow_.count_sent();
  ++buffers_sent_;
  ++counters_.buffers_sent;
  counters_.buffer_bytes_sent += bytes;
}

// Reading the clock twice is cheap compared to copying a large buffer. The time for handing over a
// small buffer is not measured, because reading the clock would cost too much.
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

}  // namespace atl::message
