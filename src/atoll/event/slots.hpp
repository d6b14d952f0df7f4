#pragma once
// This file has the slots of a PE's events, the waiters of each event, and the table of other PEs'
// events.

#include "atoll/base/memory_account.hpp"
#include "atoll/base/site.hpp"
#include "atoll/error.hpp"
#include "atoll/event/name.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/task/frame.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace atl::events {

// A waiter of an event is one word of 8 bytes. The first waiter lies in the slot of the event, and
// further ones lie in blocks. Blocks grow: the first block is small, the next two have twice its
// size, the next two four times its size, and so on. Beside the slot, five waiters take 96 bytes
// together, and any other number of waiters takes at most 16 bytes each.

/// One word that says what to do when an event triggers or fails.
class waiter {
 public:
  enum class kind : std::uint8_t {
    task,       ///< a suspended frame, of a task that waits or has not begun
    input,      ///< an event of this PE that waits for all of its inputs
    any_input,  ///< an event of this PE that waits for one of its inputs
    pe,         ///< another PE, which has subscribed
    request,    ///< an event of this PE that acquires or releases a reservation
    clock,      ///< a variable that gets the time of the end
    outside     ///< a thread that is no PE
  };

  waiter() = default;
  static waiter of_task(tasks::frame& suspended) {
    return waiter(reinterpret_cast<std::uintptr_t>(&suspended));
  }
  static waiter of_input(kind what, std::uint32_t slot, std::uint32_t generation) {
    return waiter(static_cast<std::uint64_t>(what) |
                  static_cast<std::uint64_t>(generation) << k_kind_bits |
                  static_cast<std::uint64_t>(slot) << (k_kind_bits + k_generation_bits));
  }
  static waiter of_pe(int pe) {
    return waiter(static_cast<std::uint64_t>(kind::pe) | static_cast<std::uint64_t>(pe)
                                                             << k_kind_bits);
  }

  static waiter of_outside() { return waiter(static_cast<std::uint64_t>(kind::outside)); }
  static waiter of_clock(std::int64_t& noted) {
    return waiter(reinterpret_cast<std::uintptr_t>(&noted) |
                  static_cast<std::uint64_t>(kind::clock));
  }

  static waiter from_word(std::uint64_t word) { return waiter(word); }

  explicit operator bool() const { return word_ != 0; }
  std::uint64_t word() const { return word_; }
  /// Returns true if the waiter is an event of this PE, which has a slot.
  bool is_slot() const {
    return what() == kind::input || what() == kind::any_input || what() == kind::request;
  }
  std::int64_t& noted() const {
    return *reinterpret_cast<std::int64_t*>(word_ & ~std::uint64_t{(1 << k_kind_bits) - 1});
  }
  kind what() const { return static_cast<kind>(word_ & ((1 << k_kind_bits) - 1)); }
  tasks::frame& suspended() const { return *reinterpret_cast<tasks::frame*>(word_); }
  std::uint32_t slot() const {
    return static_cast<std::uint32_t>(word_ >> (k_kind_bits + k_generation_bits));
  }
  std::uint32_t generation() const {
    return static_cast<std::uint32_t>(word_ >> k_kind_bits) & k_last_generation;
  }
  int pe() const { return static_cast<int>(word_ >> k_kind_bits); }

  friend bool operator==(const waiter&, const waiter&) = default;

 private:
  static constexpr int k_kind_bits = 3;
  static_assert(alignof(tasks::frame) >= 1 << k_kind_bits);

  explicit waiter(std::uint64_t word) : word_(word) {}

  std::uint64_t word_ = 0;
};

/// The waiters of one event, in the order in which they were added.
struct waiter_list {
  waiter first;
  std::uint32_t newest = 0;  ///< newest of a circle of blocks; 0: there is none
  std::uint32_t next = 0;    ///< link for queues of lists
};

/// The blocks of all waiter lists of one PE.
class waiter_blocks {
 public:
  explicit waiter_blocks(memory_account& account) : account_(account) { words_.resize(k_unit); }
  ~waiter_blocks() { account_.release(charged_); }
  waiter_blocks(const waiter_blocks&) = delete;
  waiter_blocks& operator=(const waiter_blocks&) = delete;

  /// Adds a waiter. Throws atl::error (out_of_memory); nothing has been added then.
  void add(waiter_list& list, waiter added) {
    if (!list.first) {
      list.first = added;
      return;
    }
    if (list.newest == 0 || head(list.newest).is_full()) [[unlikely]]
      add_block(list);
    header block = head(list.newest);
    ++block.used;
    words_[list.newest * k_unit + block.used] = added.word();
    set_head(list.newest, block);
  }

  /// Returns true if the list is long, and the next waiter makes it need at least half as much
  /// memory again.
  bool is_about_to_grow(const waiter_list& list) const {
    if (list.newest == 0) return false;
    const header newest = head(list.newest);
    return newest.is_full() && newest.size >= k_large;
  }

  /// Returns the bytes of all blocks, including free ones.
  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

  /// Calls `visit(waiter)` for each waiter, in order, and empties the list. `visit` must not add to
  /// a list.
  template <class Visit>
  void take(waiter_list& list, const Visit& visit) {
    if (list.first) visit(list.first);
    list.first = {};
    if (list.newest == 0) return;
    for (std::uint32_t block = head(list.newest).next;;) {
      const header present = visit_block(block, visit);
      release(block, present);
      if (block == list.newest) break;
      block = present.next;
    }
    list.newest = 0;
  }

  /// Removes one waiter, in time proportional to the length of the list. Returns false if `removed`
  /// is not in the list.
  bool remove(waiter_list& list, waiter removed);

  /// Calls `visit(waiter)` for each waiter, and changes nothing.
  template <class Visit>
  void for_each(const waiter_list& list, const Visit& visit) const {
    if (list.first) visit(list.first);
    if (list.newest == 0) return;
    for (std::uint32_t block = head(list.newest).next;;) {
      const header present = visit_block(block, visit);
      if (block == list.newest) break;
      block = present.next;
    }
  }

 private:
  static constexpr std::size_t k_unit = 4;  ///< words of the smallest block
  static constexpr std::uint32_t k_sizes = 20;
  static constexpr std::uint32_t k_large = 9;

  /// The first word of a block, which describes the block.
  struct header {
    std::uint32_t next = 0;  ///< next block of the circle, or of the free list
    std::uint32_t used : 26 = 0;
    std::uint32_t size : 5 = 0;    ///< log2 of the size in units of the smallest block
    std::uint32_t second : 1 = 0;  ///< 1: second block of its size; the smallest size has one

    bool is_full() const { return used + std::size_t{1} == k_unit << size; }
  };

  header head(std::uint32_t block) const { return std::bit_cast<header>(words_[block * k_unit]); }
  void set_head(std::uint32_t block, header written) {
    words_[block * k_unit] = std::bit_cast<std::uint64_t>(written);
  }

  template <class Visit>
  header visit_block(std::uint32_t block, const Visit& visit) const {
    const header present = head(block);
    const std::uint64_t* const words = &words_[block * k_unit];
    for (std::size_t i = 1; i <= present.used; ++i) visit(waiter::from_word(words[i]));
    return present;
  }

  void release(std::uint32_t block, header last) {
    set_head(block, {free_[last.size], 0, last.size, 0});
    free_[last.size] = block;
  }

  void add_block(waiter_list& list);
  std::uint32_t allocate(std::uint32_t size);
  std::uint32_t carve(std::uint32_t size);

  memory_account& account_;
  huge_vector<std::uint64_t> words_;
  std::size_t charged_ = 0;
  std::array<std::uint32_t, k_sizes> free_{};
};

// The events of one PE lie in slots that are reused. The slot that has been free for the longest
// time is reused first.

/// The purpose of a slot.
enum class use : std::uint8_t {
  free,
  user,       ///< triggered by the program
  operation,  ///< triggered by the end of a deferred operation; `inputs` is the PE that holds it
  promised,   ///< a user event that triggers when its inputs have triggered
  all,        ///< triggers when all inputs have; fails with the first that fails
  settled,    ///< triggers when all inputs have triggered or failed
  any,        ///< triggers with the first input; fails when all have failed
  requested,  ///< triggers when a reservation is held, or released
  distant     ///< the state of another PE's event
};

/// One event of this PE, or the state of an event of another PE.
struct slot {
  std::uint32_t generation : k_generation_bits = 1;  ///< older generations have triggered or failed
  std::uint32_t kind : 4 = 0;
  std::uint32_t fails : 1 = 0;     ///< whether its waiters are about to be woken with a failure
  std::uint32_t is_ended : 1 = 0;  ///< whether `place` is where it was triggered
  std::uint32_t stays : 1 = 0;     ///< distant: whether `subscribe` asked to notify this PE
  std::uint32_t leaves : 1 = 0;    ///< distant: whether its PE is asked to forget this PE
  /// Number of inputs that have not triggered. For an event of another PE: the next slot in the
  /// list of pending events of its place.
  std::uint32_t inputs = 0;
  waiter_list waiting;
  /// word of the site that made the event; distant: the name of the event
  std::uint64_t place = 0;

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
  /// Makes a table whose slots have the generations from `first` up to `last`. A slot that has
  /// reached `last` is not used.
  slot_table(memory_account& account, std::uint32_t first = 1,
             std::uint32_t last = k_last_generation)
      : account_(account), first_generation_(first), last_generation_(last), slots_(1) {}
  ~slot_table() { account_.release(charged_); }
  slot_table(const slot_table&) = delete;
  slot_table& operator=(const slot_table&) = delete;

  slot& operator[](std::uint32_t index) { return slots_[index]; }
  const slot& operator[](std::uint32_t index) const { return slots_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

  /// Returns the index of a slot without waiters. Throws atl::error (out_of_memory).
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

  /// Ends the generation of a slot. If the slot has had all generations, it is not used again.
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
  // Minimum number of free slots, so that a slot is not reused at once. A free slot keeps the place
  // where its event was triggered. If the event is triggered again, the error names that place.
  static constexpr std::uint32_t k_least_free = 256;

  std::uint32_t take_free() {
    --free_count_;
    const std::uint32_t taken = pop(free_);
    __builtin_prefetch(&slots_[free_.first], 1);  // the slot is probably not in the cache
    return taken;
  }
  std::uint32_t add();

  memory_account& account_;
  std::uint32_t first_generation_;
  std::uint32_t last_generation_;
  huge_vector<slot> slots_;  ///< the first slot is unused
  slot_queue free_;
  std::uint32_t free_count_ = 0;
  std::size_t charged_ = 0;
};

// A PE stores its knowledge about slots of other PEs in a hash table that only grows. The number of
// places never exceeds the number of slots that the other PEs use at once.

/// What this PE knows about a slot of another PE.
struct place {
  std::uint64_t key = 0;      ///< PE and slot; 0: the place is free
  std::uint32_t known = 0;    ///< youngest generation whose end and outcome are known here
  std::uint32_t pending = 0;  ///< slot of this PE for the youngest generation that it awaits
};

class place_table {
 public:
  explicit place_table(memory_account& account) : account_(account) { grow(k_least); }
  ~place_table() { account_.release(places_.size() * sizeof(place)); }
  place_table(const place_table&) = delete;
  place_table& operator=(const place_table&) = delete;

  /// Returns the place for `key`, which is added if it is new. The reference is valid until the
  /// next call. Throws atl::error (out_of_memory).
  place& at(std::uint64_t key) {
    place& found = places_[find(key)];
    if (found.key == key) [[likely]]
      return found;
    return add(key);
  }

  /// Prefetches the place for `key`.
  [[gnu::always_inline]] void prefetch(std::uint64_t key) const {
    __builtin_prefetch(&places_[home(key)]);
  }

  /// Returns the place for `key`, or null if nothing is known about it.
  const place* look(std::uint64_t key) const {
    const place& found = places_[find(key)];
    return found.key == key ? &found : nullptr;
  }

 private:
  static constexpr std::size_t k_least = 64;
  static constexpr std::uint64_t k_neighbours = 8;

  /// Returns the index where a search for `key` begins. Neighbouring slots of a PE, which are often
  /// used one after the other, have neighbouring places.
  std::size_t home(std::uint64_t key) const {
    return ((key / k_neighbours * 0x9e3779b97f4a7c15u) >> shift_) * k_neighbours +
           key % k_neighbours;
  }

  /// Returns the index of the place for `key`, or of the free place where it would be added.
  std::size_t find(std::uint64_t key) const {
    std::size_t i = home(key);
    while (places_[i].key != key && places_[i].key != 0) i = (i + 1) & mask_;
    return i;
  }

  place& add(std::uint64_t key);
  void grow(std::size_t size);

  memory_account& account_;
  huge_vector<place> places_;
  std::size_t count_ = 0;
  std::size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace atl::events
