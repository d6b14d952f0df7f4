#include "atoll/message/open_parcels.hpp"

#include "atoll/message/parcel.hpp"

namespace atl::message {

open_parcels::open_parcels(int self, std::span<outgoing> outgoing, const route_table& routes,
                           observe::counters& counters)
    : self_(self),
      outgoing_(outgoing),
      routes_(routes),
      counters_(counters),
      carriers_(outgoing.size()),
      is_listed_(outgoing.size()) {}

void open_parcels::open(int destination, std::byte* room, std::size_t bytes) {
  outgoing_[destination].open(room + k_parcel_overhead, bytes - k_parcel_overhead);
  if (std::exchange(is_listed_[destination], true)) return;
  carriers_[routes_.hop(destination)].destinations.push_back(destination);
}

void open_parcels::close(int destination) {
  outgoing& out = outgoing_[destination];
  const int hop = routes_.hop(destination);
  std::byte* const messages = out.buffer();
  const std::byte* end = out.buffer_end();
  counters_.messages_submitted += out.take_unsubmitted();
  std::byte* const used = messages + out.close();
  if (outgoing_[hop].shorten(end, used)) {
    end = used;
  } else {
    write_padding(used, end);
    carriers_[hop].padding += static_cast<std::size_t>(end - used);
  }
  std::byte* const parcel = messages - k_parcel_overhead;
  write_parcel_header(parcel, {self_, destination}, static_cast<std::size_t>(end - parcel));
}

// A destination that messages go to directly for a while (engine::at_once) has a buffer open, and
// no parcel.
void open_parcels::close_listed(int hop) {
  auto& destinations = carriers_[hop].destinations;
  for (const int destination : destinations) {
    is_listed_[destination] = false;
    if (routes_.hop(destination) == hop && outgoing_[destination].is_open()) close(destination);
  }
  destinations.clear();
}

}  // namespace atl::message
