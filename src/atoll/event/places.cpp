#include "atoll/event/places.hpp"

#include "atoll/base/charged.hpp"

#include <bit>

namespace atl::events {

place& place_table::add(std::uint64_t key) {
  if (2 * ++count_ > places_.size()) grow(2 * places_.size());
  place& added = places_[find(key)];
  added.key = key;
  return added;
}

void place_table::grow(std::size_t size) {
  huge_vector<place> larger;
  grow_charged(account_, places_.size() * sizeof(place), size * sizeof(place),
               [&] { larger.resize(size); });
  places_.swap(larger);
  mask_ = size - 1;
  shift_ = std::countl_zero(mask_ / k_neighbours);
  for (const place& each : larger)
    if (each.key != 0) places_[find(each.key)] = each;
}

}  // namespace atl::events
