#pragma once
// Where sorted items of all PEs are to be cut so that exactly so many lie before each cut, without
// moving any: a search that halves what is left, in expectation, by an item chosen at random.

#include "atoll/collectives.hpp"
#include "atoll/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace atl::memory {

/// An item that a PE proposes. All items are different, for of equal ones that of the PE with the
/// smaller number, and then the one in front, is the smaller.
template <class Item>
struct pivot {
  double draw = std::numeric_limits<double>::infinity();  ///< the smallest of all PEs is taken
  int pe = -1;                                            ///< none has any left: -1
  std::uint64_t position = 0;
  alignas(Item) std::array<std::byte, sizeof(Item)> item{};

  Item value() const {
    std::array<Item, 1> copy;
    std::memcpy(copy.data(), item.data(), sizeof(Item));
    return copy[0];
  }
  static pivot of_both(const pivot& a, const pivot& b) { return b.draw < a.draw ? b : a; }
};

/// What this PE knows of one cut.
struct sought_place {
  std::uint64_t target = 0;          ///< items of all PEs before it
  std::uint64_t begin = 0, end = 0;  ///< among the items of this PE it lies here
  bool found = false;                ///< at `begin`
};

/// Proposes one of the items that are left, so that each of all PEs' is taken equally likely: the
/// draw of a PE is distributed as the smallest of as many as it has items.
template <class Item>
pivot<Item> propose(std::span<const Item> items, const sought_place& at, random_stream& random) {
  pivot<Item> mine;
  const double draw = random.real();
  const std::uint64_t chosen = random.below(std::max<std::uint64_t>(1, at.end - at.begin));
  if (at.found || at.begin == at.end) return mine;
  mine.draw = -std::log1p(-draw) / static_cast<double>(at.end - at.begin);
  mine.pe = my_pe();
  mine.position = at.begin + chosen;
  std::memcpy(mine.item.data(), &items[mine.position], sizeof(Item));
  return mine;
}

/// How many items of this PE are smaller than the pivot.
template <class Item, class Less>
std::uint64_t smaller_than(const pivot<Item>& chosen, std::span<const Item> items,
                           const Less& less) {
  if (chosen.pe < 0 || chosen.pe == my_pe()) return chosen.position;
  const auto place = my_pe() < chosen.pe
                         ? std::upper_bound(items.begin(), items.end(), chosen.value(), less)
                         : std::lower_bound(items.begin(), items.end(), chosen.value(), less);
  return static_cast<std::uint64_t>(place - items.begin());
}

/// Goes on behind the pivot, or before it.
template <class Item>
void narrow(sought_place& at, const pivot<Item>& chosen, std::uint64_t smaller,
            std::uint64_t smaller_of_all) {
  at.found = smaller_of_all == at.target;
  if (at.found)
    at.begin = smaller;
  else if (smaller_of_all < at.target)
    at.begin = std::max(at.begin, smaller + (chosen.pe == my_pe() ? 1 : 0));
  else
    at.end = std::min(at.end, smaller);
}

/// For each target, how many of this PE's sorted items lie before it. Every PE calls it, with the
/// same targets, none of which is beyond the number of all items.
template <class Item, class Less>
task<std::vector<std::uint64_t>> all_find_cuts(std::span<const Item> items,
                                               std::vector<std::uint64_t> targets,
                                               std::uint64_t all, const Less& less) {
  std::vector<sought_place> places;
  for (const std::uint64_t target : targets) {
    const bool at_end = target == all;
    places.push_back({target, at_end ? items.size() : 0, items.size(), at_end});
  }
  random_stream random(hash(all), static_cast<std::uint64_t>(my_pe()));
  while (!std::ranges::all_of(places, &sought_place::found)) {
    std::vector<pivot<Item>> pivots;
    for (const sought_place& each : places) pivots.push_back(propose(items, each, random));
    pivots = co_await all_reduce(std::move(pivots), &pivot<Item>::of_both);
    std::vector<std::uint64_t> smaller;
    for (const auto& each : pivots) smaller.push_back(smaller_than(each, items, less));
    const auto of_all = co_await all_reduce(smaller, std::plus<>());
    for (std::size_t i = 0; i < places.size(); ++i)
      if (!places[i].found) narrow(places[i], pivots[i], smaller[i], of_all[i]);
  }
  std::vector<std::uint64_t> cuts;
  for (const sought_place& each : places) cuts.push_back(each.begin);
  co_return cuts;
}

}  // namespace atl::memory
