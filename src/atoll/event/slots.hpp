#pragma once
// The slots of a PE's events, what waits for each of them, and how those of other PEs' events
// are found.

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

// What waits for an event: one word each, in the slot of the event and, where there are several, in
// blocks: a small one, then two of twice its size, two of twice that, and so on. So no number of
// waiters takes more than 16 bytes each beside the slot, but for five, which take 96 together.

/// One word that says what to do when an event triggers or fails.
class waiter {
 public:
  enum class kind : std::uint8_t {
    task,       ///< a suspended frame, of a task that waits or has not begun
    input,      ///< an event of this PE that waits for all of several
    any_input,  ///< the same, for one of several
    pe,         ///< another PE has subscribed
    request,    ///< an event of this PE: a reservation is to be acquired or released
    clock,      ///< somebody wants to know when
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
  /// A slot of this PE waits.
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

/// The waiters of one event, the first one first.
struct waiter_list {
  waiter first;
  std::uint32_t newest = 0;  ///< of a circle of blocks; 0: there is none
  std::uint32_t next = 0;    ///< for whoever keeps lists in a queue
};

/// The blocks of all lists of one PE.
class waiter_blocks {
 public:
  explicit waiter_blocks(memory_account& account) : account_(account) { words_.resize(k_unit); }
  ~waiter_blocks() { account_.release(charged_); }
  waiter_blocks(const waiter_blocks&) = delete;
  waiter_blocks& operator=(const waiter_blocks&) = delete;

  /// Throws atl::error (out_of_memory), and adds nothing then.
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

  /// The list is long, and the next waiter makes it take half as much memory again, or more.
  bool is_about_to_grow(const waiter_list& list) const {
    if (list.newest == 0) return false;
    const header newest = head(list.newest);
    return newest.is_full() && newest.size >= k_large;
  }

  /// Of all blocks, those that are free included.
  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

  /// Calls `visit(waiter)` for each, in order, and leaves the list empty. `visit` adds to no list.
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

  /// Takes one out. False: it is not there. The list is gone through.
  bool remove(waiter_list& list, waiter removed);

  /// Calls `visit(waiter)` for each, and changes nothing.
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

  /// The first word of a block.
  struct header {
    std::uint32_t next = 0;  ///< block of the circle; of those that are free
    std::uint32_t used : 26 = 0;
    std::uint32_t size : 5 = 0;    ///< that of the smallest, doubled so many times
    std::uint32_t second : 1 = 0;  ///< of its size; there is one of the smallest

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

// The events of one PE: slots that are used again, the one that has been free for longest first.

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

// What one PE knows of the slots of other PEs: a hash table that only grows. There are never more
// places than slots that the other PEs use at once.

/// A slot of another PE.
struct place {
  std::uint64_t key = 0;      ///< PE and slot; 0 is the slot of nobody
  std::uint32_t known = 0;    ///< this generation has ended, and how it did is known here
  std::uint32_t pending = 0;  ///< slot of this PE for the youngest generation that is awaited here
};

class place_table {
 public:
  explicit place_table(memory_account& account) : account_(account) { grow(k_least); }
  ~place_table() { account_.release(places_.size() * sizeof(place)); }
  place_table(const place_table&) = delete;
  place_table& operator=(const place_table&) = delete;

  /// The place, which is added if it is new. The reference holds until the next call. Throws
  /// atl::error (out_of_memory).
  place& at(std::uint64_t key) {
    place& found = places_[find(key)];
    if (found.key == key) [[likely]]
      return found;
    return add(key);
  }

  /// It will be looked at soon.
  [[gnu::always_inline]] void prefetch(std::uint64_t key) const {
    __builtin_prefetch(&places_[home(key)]);
  }

  /// Null: nothing is known of it.
  const place* look(std::uint64_t key) const {
    const place& found = places_[find(key)];
    return found.key == key ? &found : nullptr;
  }

 private:
  static constexpr std::size_t k_least = 64;
  static constexpr std::uint64_t k_neighbours = 8;

  /// Where it is looked for first. Slots beside each other, which are often used one after the
  /// other, have their places beside each other.
  std::size_t home(std::uint64_t key) const {
    return ((key / k_neighbours * 0x9e3779b97f4a7c15u) >> shift_) * k_neighbours +
           key % k_neighbours;
  }

  /// Where it is, or would be.
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
