#include "atoll/message/route_table.hpp"

#include "atoll/message/outgoing.hpp"

#include <algorithm>
#include <numeric>

namespace atl::message {
namespace {

constexpr std::size_t k_largest_parcel = 4096;
constexpr std::size_t k_smallest_parcel = 64;

// Not smaller than the least, even where the buffer has no room for so many: each has headers.
std::size_t parcel_bytes_for(std::size_t capacity, int destinations) {
  const std::size_t share = capacity / static_cast<std::size_t>(std::max(1, destinations));
  return std::clamp(share / k_unit * k_unit, k_smallest_parcel, k_largest_parcel);
}

}  // namespace

route_table::route_table(int self, std::vector<int> nodes, std::size_t buffer_capacity)
    : self_(self), buffer_capacity_(buffer_capacity), nodes_(std::move(nodes)) {
  choose(routing::direct);
}

void route_table::choose(routing how) {
  hops_ = hops_from(self_, nodes_, chosen_routing(how, nodes_));
  parcel_bytes_.clear();
  for (const int destinations : destinations_behind(hops_))
    parcel_bytes_.push_back(parcel_bytes_for(buffer_capacity_, destinations));
}

void route_table::go_directly() noexcept { std::iota(hops_.begin(), hops_.end(), 0); }

}  // namespace atl::message
