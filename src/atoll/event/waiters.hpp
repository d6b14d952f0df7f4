#pragma once
// What waits for an event: one word each, in the slot of the event and, where there are several, in
// blocks: a small one, then two of twice its size, two of twice that, and so on. So no number of
// waiters takes more than 16 bytes each beside the slot, but for five, which take 96 together.

#include "atoll/base/memory_account.hpp"
#include "atoll/event/name.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/task/frame.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace atl::events {

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

}  // namespace atl::events
