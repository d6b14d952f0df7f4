#include "atoll/event/slots.hpp"

#include "atoll/base/charged.hpp"
#include "atoll/base/mutants.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace atl::events {

void waiter_blocks::add_block(waiter_list& list) {
  if (list.newest == 0) {
    list.newest = allocate(0);
    set_head(list.newest, {list.newest, 0, 0, 1});
    return;
  }
  header last = head(list.newest);
  const std::uint32_t size = std::min<std::uint32_t>(last.size + last.second, k_sizes - 1);
  const std::uint32_t added = allocate(size);
  set_head(added, {last.next, 0, size, last.size == size ? 1U : 0U});
  last.next = added;
  set_head(list.newest, last);
  list.newest = added;
}

// The function empties the list and adds the remaining waiters again. Adding the waiters again
// allocates no memory, because it reuses the blocks of the emptied list. A waiter of the kind
// `clock` is a variable that receives the time when the event ends. A waiter of the kind `clock`
// that directly follows the removed task belongs to the same operation, and is also removed.
bool waiter_blocks::remove(waiter_list& list, waiter removed) {
  bool found = false;
  std::size_t count = 0;
  for_each(list, [&](waiter each) {
    found |= each == removed;
    ++count;
  });
  if (!found) return false;
  std::vector<waiter> staying;
  // Allocates all memory before any waiter is removed, so that an error leaves the list unchanged.
  staying.reserve(count);
  bool was_removed = false;
  take(list, [&](waiter each) {
    const bool is_its_clock = was_removed && each.what() == waiter::kind::clock;
    was_removed = each == removed;
    if (!was_removed && !is_its_clock) staying.push_back(each);
  });
  for (const waiter each : staying) add(list, each);
  return true;
}

std::uint32_t waiter_blocks::allocate(std::uint32_t size) {
  const std::uint32_t block = free_[size];
  if (block == 0) return carve(size);
  free_[size] = head(block).next;
  return block;
}

// A block begins at a multiple of its size, so that the block touches as few cache lines as
// possible. The function divides the unused memory before the block into smaller free blocks.
std::uint32_t waiter_blocks::carve(std::uint32_t size) {
  const std::size_t units = std::size_t{1} << size;
  std::size_t begin = words_.size() / k_unit;
  const std::size_t wanted = (begin + 2 * units - 1) * k_unit;
  if (wanted > words_.capacity()) {
    const std::size_t larger = std::max<std::size_t>({256, wanted, 2 * words_.capacity()});
    grow_charged(account_, charged_, larger * sizeof(std::uint64_t),
                 [&] { words_.reserve(larger); });
    charged_ = larger * sizeof(std::uint64_t);
  }
  for (; begin % units != 0;) {
    const auto gap = static_cast<std::uint32_t>(std::countr_zero(begin));
    words_.resize((begin + (std::size_t{1} << gap)) * k_unit);
    release(static_cast<std::uint32_t>(begin), {0, 0, gap, 0});
    begin = words_.size() / k_unit;
  }
  words_.resize((begin + units) * k_unit);
  return static_cast<std::uint32_t>(begin);
}

void slot_table::give_back(std::uint32_t index) {
  slot& ended = slots_[index];
  ended.use_for(use::free);
  if (ended.generation >= last_generation_) return;
  append(free_, index);
  ++free_count_;
}

std::uint32_t slot_table::add() {
  if (slots_.size() == slots_.capacity()) {
    const std::size_t larger = std::max<std::size_t>(256, 2 * slots_.capacity());
    grow_charged(account_, charged_, larger * sizeof(slot), [&] { slots_.reserve(larger); });
    charged_ = larger * sizeof(slot);
  }
  if (slots_.size() == k_most_slots)
    fail(errc::out_of_memory, "a PE can have {} events that have not triggered, and has them",
         k_most_slots);
  slots_.emplace_back().generation = first_generation_ & k_last_generation;
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

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
