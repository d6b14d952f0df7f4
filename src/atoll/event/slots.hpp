#pragma once
// This file has the memory for the events of one PE. A slot holds one event. A waiter list holds
// the tasks, events and PEs that wait for an event. A hash table holds what the PE knows about
// events of other PEs.

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

// A waiter is one word of 8 bytes, which identifies the task, event or PE that waits for an event.
// The first waiter is stored in the slot of the event, and further waiters are stored in blocks.
// The first block of a waiter list has 32 bytes, the next two blocks have 64 bytes each, the next
// two 128 bytes each, and so on. The blocks of a waiter list take at most 16 bytes per waiter,
// except in a list of five waiters.

/// One entry in the waiter list of an event. The entry says what to do when the event triggers or
/// fails.
class waiter {
 public:
  enum class kind : std::uint8_t {
    task,       ///< a suspended task, or a task that has not begun
    input,      ///< an event of this PE that triggers when all its inputs have ended
    any_input,  ///< an event of this PE that triggers as soon as one of its inputs triggers
    pe,         ///< another PE, which has subscribed to the event
    request,    ///< a reservation request of this PE, which waits for its precondition
    clock,      ///< a variable that receives the time when the event ends
    outside     ///< threads of the process that are not PEs
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
  /// Returns true if the waiter is itself an event of this PE.
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
  /// Number of the newest block in a circular list of blocks; 0 if there are no blocks.
  std::uint32_t newest = 0;
  std::uint32_t next = 0;  ///< next slot, if the slot of this list is in a `slot_queue`
};

/// The memory blocks of all waiter lists of one PE.
class waiter_blocks {
 public:
  explicit waiter_blocks(memory_account& account) : account_(account) { words_.resize(k_unit); }
  ~waiter_blocks() { account_.release(charged_); }
  waiter_blocks(const waiter_blocks&) = delete;
  waiter_blocks& operator=(const waiter_blocks&) = delete;

  /// Adds the waiter `added` to the end of `list`. If memory is exhausted, throws atl::error
  /// (out_of_memory) and leaves the list unchanged.
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

  /// Returns true if the list is long and the next waiter needs a new, large block. Before the
  /// caller adds a waiter to a full list, the caller should remove waiters that need not be woken
  /// any more.
  bool is_about_to_grow(const waiter_list& list) const {
    if (list.newest == 0) return false;
    const header newest = head(list.newest);
    return newest.is_full() && newest.size >= k_large;
  }

  /// Returns the size of all blocks in bytes, including the free blocks.
  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

  /// Calls `visit(waiter)` for each waiter, in order, and empties the list. The function `visit`
  /// must not add waiters to any list.
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

  /// Removes the waiter `removed`. The function takes time proportional to the length of the list.
  /// Returns false if `removed` is not in the list.
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
  static constexpr std::size_t k_unit = 4;  ///< number of words in the smallest block
  static constexpr std::uint32_t k_sizes = 20;
  static constexpr std::uint32_t k_large = 9;

  /// The first word of a block, which describes the block.
  struct header {
    /// Next block in the circular list of blocks, or in the list of free blocks.
    std::uint32_t next = 0;
    std::uint32_t used : 26 = 0;
    /// Base-2 logarithm of (size of this block / size of the smallest block).
    std::uint32_t size : 5 = 0;
    /// 1 if the next block that is added to the list will be larger than this block.
    std::uint32_t second : 1 = 0;

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

// The slots of one PE are reused for new events. The slot that has been free for the longest time
// is reused first.

/// The purpose of a slot.
enum class use : std::uint8_t {
  free,
  /// An event that the program triggers.
  user,
  /// An event that triggers when a deferred operation ends; `slot::inputs` is the PE where the
  /// operation waits.
  operation,
  /// A user event for which `trigger_when` was called.
  promised,
  /// An event that triggers when all inputs have triggered, and fails as soon as one input fails.
  all,
  /// An event that triggers when all inputs have triggered or failed.
  settled,
  /// An event that triggers as soon as one input triggers, and fails when all inputs have failed.
  any,
  requested,  ///< an event of a request that acquires, releases or destroys a reservation
  distant     ///< an event of another PE that this PE waits for
};

/// One event of this PE, or an event of another PE that this PE waits for.
struct slot {
  /// Generation of the present event or, if the slot is free, of the next event. All events with
  /// older generations of this slot have ended.
  std::uint32_t generation : k_generation_bits = 1;
  std::uint32_t kind : 4 = 0;
  /// True if the event has failed.
  std::uint32_t fails : 1 = 0;
  /// True if `place` is the source line that triggered the event.
  std::uint32_t is_ended : 1 = 0;
  /// In a slot for an event of another PE: true if the program has called `subscribe` for the
  /// event.
  std::uint32_t stays : 1 = 0;
  /// In a slot for an event of another PE: true while this PE ends its subscription to the event.
  std::uint32_t leaves : 1 = 0;
  /// Number of inputs that have not ended yet. In a slot for an event of another PE, this field is
  /// the index of the next slot in the linked list that begins at `place::pending`.
  std::uint32_t inputs = 0;
  waiter_list waiting;
  /// The source line that made the event, as `site::word`. In a slot for an event of another PE,
  /// this field is the name of the event.
  std::uint64_t place = 0;

  use used_for() const { return static_cast<use>(kind); }
  void use_for(use purpose) { kind = static_cast<std::uint32_t>(purpose); }
};

static_assert(sizeof(slot) == 32);

/// A first-in-first-out queue of slots, linked by `waiter_list::next`.
struct slot_queue {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

class slot_table {
 public:
  /// Makes a table whose slots have the generations from `first` to `last`. After the event with
  /// generation `last`, a slot is not used again.
  slot_table(memory_account& account, std::uint32_t first = 1,
             std::uint32_t last = k_last_generation)
      : account_(account), first_generation_(first), last_generation_(last), slots_(1) {}
  ~slot_table() { account_.release(charged_); }
  slot_table(const slot_table&) = delete;
  slot_table& operator=(const slot_table&) = delete;

  slot& operator[](std::uint32_t index) { return slots_[index]; }
  const slot& operator[](std::uint32_t index) const { return slots_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

  /// Allocates a slot for an event made at the source line `where`, and returns the index of the
  /// slot. The slot has no waiters. Throws atl::error (out_of_memory) if memory is exhausted or too
  /// many slots are in use.
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

  /// Frees the slot `index`, whose event has ended. After the event with the last generation, the
  /// slot is not used again.
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
  // A slot is reused only while more than `k_least_free` slots are free, so a freed slot stays
  // unused for a while. While the slot is unused, it stores the source line that triggered its last
  // event. If the program triggers the event again, the text of the error names the source line of
  // the first trigger.
  static constexpr std::uint32_t k_least_free = 256;

  std::uint32_t take_free() {
    --free_count_;
    const std::uint32_t taken = pop(free_);
    // The slot that the next call will take is probably not in the cache.
    __builtin_prefetch(&slots_[free_.first], 1);
    return taken;
  }
  std::uint32_t add();

  memory_account& account_;
  std::uint32_t first_generation_;
  std::uint32_t last_generation_;
  huge_vector<slot> slots_;  ///< slot 0 is unused, because index 0 means "no slot"
  slot_queue free_;
  std::uint32_t free_count_ = 0;
  std::size_t charged_ = 0;
};

// A PE stores what it knows about slots of other PEs in a hash table. Entries are never removed.
// The table nevertheless stays small, because the other PEs reuse their slots.

/// What this PE knows about a slot of another PE.
struct place {
  /// The PE and the slot as in `name::place`; 0 if this entry is free.
  std::uint64_t key = 0;
  /// The events that use a slot one after the other have increasing generations. `known` is the
  /// newest generation whose event has ended, as far as this PE knows.
  std::uint32_t known = 0;
  /// First slot in a linked list of slots of this PE. The slots in the list stand for awaited
  /// events, which all use the same slot of the other PE.
  std::uint32_t pending = 0;
};

class place_table {
 public:
  explicit place_table(memory_account& account) : account_(account) { grow(k_least); }
  ~place_table() { account_.release(places_.size() * sizeof(place)); }
  place_table(const place_table&) = delete;
  place_table& operator=(const place_table&) = delete;

  /// Returns the entry for `key`, and adds the entry if there is none. The reference is valid until
  /// the next call. Throws atl::error (out_of_memory).
  place& at(std::uint64_t key) {
    place& found = places_[find(key)];
    if (found.key == key) [[likely]]
      return found;
    return add(key);
  }

  /// Prefetches the entry for `key` into the cache.
  [[gnu::always_inline]] void prefetch(std::uint64_t key) const {
    __builtin_prefetch(&places_[home(key)]);
  }

  /// Returns the entry for `key`, or null if there is none.
  const place* look(std::uint64_t key) const {
    const place& found = places_[find(key)];
    return found.key == key ? &found : nullptr;
  }

 private:
  static constexpr std::size_t k_least = 64;
  static constexpr std::uint64_t k_neighbours = 8;

  /// Returns the index where a search for `key` begins. Neighbouring slots of another PE have
  /// neighbouring entries in the table, because programs often use neighbouring slots one after the
  /// other.
  std::size_t home(std::uint64_t key) const {
    return ((key / k_neighbours * 0x9e3779b97f4a7c15u) >> shift_) * k_neighbours +
           key % k_neighbours;
  }

  /// Returns the index of the entry for `key`, or of the free entry where `key` would be added.
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
