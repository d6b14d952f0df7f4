#include "atoll/event/slots.hpp"

#include "atoll/base/charged.hpp"
#include "atoll/base/mutants.hpp"

#include <algorithm>

namespace atl::events {

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

}  // namespace atl::events
