// The engine's parcels: messages for a PE that is reached by way of another (routes.hpp).

#include "atoll/message/engine.hpp"

#include <algorithm>
#include <utility>

namespace atoll::message {
namespace {

constexpr std::size_t k_largest_parcel = 4096;
constexpr std::size_t k_smallest_parcel = 64;

/// As large as there is room for one to each destination: each has headers of its own.
std::size_t parcel_bytes_for(std::size_t capacity, int destinations) {
  const std::size_t share = capacity / static_cast<std::size_t>(std::max(1, destinations));
  return std::clamp(share / k_unit * k_unit, k_smallest_parcel, k_largest_parcel);
}

/// Nodes as the transport knows them; where it has but one, as the setting says.
std::vector<int> nodes_of(const transport::endpoint& transport, std::uint64_t node_size) {
  const auto known = transport.nodes();
  std::vector<int> nodes(known.begin(), known.end());
  const int pes_of_node = node_size == 0 ? transport.size() : static_cast<int>(node_size);
  for (int pe = static_cast<int>(nodes.size()); pe < transport.size(); ++pe)
    nodes.push_back(pe / pes_of_node);
  return nodes;
}

}  // namespace

void engine::route(routing how) {
  nodes_ = nodes_of(transport_, self_.options->node_size);
  for (int pe = 0; pe < self_.size; ++pe)
    buffer_states_[pe].distant = nodes_[pe] != nodes_[self_.rank];
  hops_ = hops_from(self_.rank, nodes_, chosen_routing(how, nodes_));
  parcel_bytes_.clear();
  for (const int destinations : destinations_behind(hops_))
    parcel_bytes_.push_back(parcel_bytes_for(transport_.buffer_capacity(), destinations));
}

void engine::send_directly() {
  flush();
  route(routing::direct);
}

std::byte* engine::room_in_buffer(int hop, std::size_t bytes, traffic kind, site where) {
  outgoing& carrier = outgoing_[hop];
  if (carrier.is_open()) {
    if (std::byte* const room = carrier.reserve(bytes)) return room;
    submit(hop);
  }
  open_buffer(hop, kind, where);
  return carrier.reserve(bytes);
}

void engine::open_parcel(int destination, std::size_t bytes, traffic kind, site where) {
  outgoing& out = outgoing_[destination];
  if (out.is_open()) close_parcel(destination);
  const int hop = hops_[destination];
  const std::size_t size = std::max(parcel_bytes_[hop], bytes + k_run_overhead + k_parcel_overhead);
  std::byte* const room = room_in_buffer(hop, size, kind, where);
  out.open(room + k_parcel_overhead, size - k_parcel_overhead);
  if (!std::exchange(buffer_states_[destination].parcel_listed, true))
    buffer_states_[hop].parcels.push_back(destination);
}

void engine::close_parcel(int destination) {
  outgoing& out = outgoing_[destination];
  const int hop = hops_[destination];
  std::byte* const messages = out.buffer();
  const std::byte* end = out.buffer_end();
  counters_.messages_submitted += out.created - std::exchange(out.submitted, out.created);
  std::byte* const used = messages + out.close();
  if (outgoing_[hop].shorten(end, used)) {
    end = used;
  } else {
    write_padding(used, end);
    buffer_states_[hop].padding += static_cast<std::size_t>(end - used);
  }
  std::byte* const parcel = messages - k_parcel_overhead;
  write_parcel_header(parcel, {self_.rank, destination}, static_cast<std::size_t>(end - parcel));
}

void engine::close_parcels(int hop) {
  auto& open = buffer_states_[hop].parcels;
  for (const int destination : open) {
    buffer_states_[destination].parcel_listed = false;
    if (hops_[destination] == hop && outgoing_[destination].is_open()) close_parcel(destination);
  }
  open.clear();
}

/// Returns the hop that is given up.
int engine::leave_route(int destination) {
  if (hops_[destination] != destination && outgoing_[destination].is_open())
    close_parcel(destination);
  return std::exchange(hops_[destination], destination);
}

void engine::return_to_route(int destination, int hop) {
  flush(destination);
  hops_[destination] = hop;
}

void engine::deliver_parcel(const std::byte* parcel, const std::byte* end) {
  const auto [source, destination] = address_of_parcel(parcel);
  if (destination == self_.rank) {
    const int carrier = std::exchange(source_, source);
    deliver_messages(parcel + k_parcel_overhead, end);
    source_ = carrier;
    return;
  }
  const auto bytes = static_cast<std::size_t>(end - parcel);
  std::byte* const room =
      room_in_buffer(hops_[destination], bytes, traffic::control, site::current());
  std::memcpy(room, parcel, bytes);
  ++counters_.parcels_forwarded;
  counters_.parcel_bytes_forwarded += bytes;
}

}  // namespace atoll::message
