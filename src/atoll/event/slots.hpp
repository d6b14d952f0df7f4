#pragma once
// The events of one PE: slots that are used again, the one that has been free for longest first.

#include "atoll/base/site.hpp"
#include "atoll/error.hpp"
#include "atoll/event/waiters.hpp"

#include <cstdint>

namespace atl::events {

/// What a slot is used for.
enum class use : std::uint8_t {
  free,
  user,       ///< somebody triggers it
  operation,  ///< a deferred operation does when it has ended; `inputs` is the PE that holds it
  promised,   ///< the same, and it is triggered when its inputs have triggered
  all,        ///< triggers when all inputs have; fails with the first of them
  settled,    ///< triggers when all inputs have triggered or failed
  any,        ///< triggers with the first input; fails when all have failed
  requested,  ///< triggers when a reservation is held, or released
  distant     ///< what this PE knows of another PE's event
};

/// One event, or one event of another PE.
struct slot {
  std::uint32_t generation : k_generation_bits = 1;  ///< the older ones have triggered or failed
  std::uint32_t kind : 4 = 0;
  std::uint32_t fails : 1 = 0;     ///< it is about to wake its waiters because it has failed
  std::uint32_t is_ended : 1 = 0;  ///< `place` is where it was triggered
  std::uint32_t stays : 1 = 0;     ///< of a distant one: somebody asked that this PE be told
  std::uint32_t leaves : 1 = 0;    ///< of a distant one: its PE is asked to forget this one
  std::uint32_t inputs = 0;  ///< not triggered yet; of a distant one: slot for its next generation
  waiter_list waiting;
  std::uint64_t place = 0;  ///< word of the site that made it; of a distant one: its name

  use used_for() const { return static_cast<use>(kind); }
  void use_for(use purpose) { kind = static_cast<std::uint32_t>(purpose); }
};

static_assert(sizeof(slot) == 32);

/// A chain of slots, first in, first out.
struct slot_queue {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

class slot_table {
 public:
  /// Generations are from `first` to `last`, of which the last is not used.
  slot_table(memory_account& account, std::uint32_t first = 1,
             std::uint32_t last = k_last_generation)
      : account_(account), first_generation_(first), last_generation_(last), slots_(1) {}
  ~slot_table() { account_.release(charged_); }
  slot_table(const slot_table&) = delete;
  slot_table& operator=(const slot_table&) = delete;

  slot& operator[](std::uint32_t index) { return slots_[index]; }
  const slot& operator[](std::uint32_t index) const { return slots_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

  /// A slot without waiters. Throws atl::error (out_of_memory).
  std::uint32_t take(use purpose, site where) {
    const std::uint32_t index = free_count_ > k_least_free ? take_free() : add();
    slot& taken = slots_[index];
    taken.use_for(purpose);
    taken.fails = 0;
    taken.is_ended = 0;
    taken.stays = 0;
    taken.leaves = 0;
    taken.inputs = 0;
    taken.place = where.word();
    return index;
  }

  /// Its generation is over. It is used again, unless it has had all generations.
  void give_back(std::uint32_t index);

  void append(slot_queue& queue, std::uint32_t index) {
    slots_[index].waiting.next = 0;
    (queue.first == 0 ? queue.first : slots_[queue.last].waiting.next) = index;
    queue.last = index;
  }
  std::uint32_t pop(slot_queue& queue) {
    const std::uint32_t index = queue.first;
    queue.first = slots_[index].waiting.next;
    return index;
  }

 private:
  // So many rest before one is used again: where an event is triggered twice, that is where the
  // first place is known from.
  static constexpr std::uint32_t k_least_free = 256;

  std::uint32_t take_free() {
    --free_count_;
    const std::uint32_t taken = pop(free_);
    __builtin_prefetch(&slots_[free_.first], 1);  // it is long since anybody used the next one
    return taken;
  }
  std::uint32_t add();

  memory_account& account_;
  std::uint32_t first_generation_;
  std::uint32_t last_generation_;
  huge_vector<slot> slots_;  ///< the first is nobody's
  slot_queue free_;
  std::uint32_t free_count_ = 0;
  std::size_t charged_ = 0;
};

}  // namespace atl::events
