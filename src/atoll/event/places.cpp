#include "atoll/event/places.hpp"

#include <bit>
#include <utility>

namespace atl::events {

place& place_table::add(std::uint64_t key) {
  if (2 * ++count_ > places_.size()) grow(2 * places_.size());
  place& added = places_[find(key)];
  added.key = key;
  return added;
}

void place_table::grow(std::size_t size) {
  account_.charge((size - places_.size()) * sizeof(place));
  const huge_vector<place> former = std::exchange(places_, huge_vector<place>(size));
  mask_ = size - 1;
  shift_ = std::countl_zero(mask_ / k_neighbours);
  for (const place& each : former)
    if (each.key != 0) places_[find(each.key)] = each;
}

}  // namespace atl::events
