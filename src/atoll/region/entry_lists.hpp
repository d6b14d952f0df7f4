#pragma once
// This file has lists of contributions: values that a PE reduces into elements of an instance (a
// distributed array). A PE collects its contributions in one list for each PE that owns elements. A
// list is stored in chunks of memory, which are sent to the PE that owns the elements.

#include "atoll/reduction.hpp"
#include "atoll/region/element_map.hpp"
#include "atoll/region/own_memory.hpp"
#include "atoll/region/transfer.hpp"
#include "atoll/task.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace atl::regions {

// A chunk is the part of a list that is sent as one message, and has pairs for one PE. A pair
// consists of a slot, which identifies an element (element_map.hpp), and a partial result for the
// element. A chunk has the same layout in memory as in a message: all slots first, then all partial
// results.

/// Reads the pairs of a full or received chunk.
template <class Partial>
class entry_view {
 public:
  explicit entry_view(std::span<const std::byte> chunk)
      : slots_(chunk.data()),
        size_(chunk.size() / (sizeof(std::uint32_t) + sizeof(Partial))),
        values_(chunk.data() + size_ * sizeof(std::uint32_t)) {}

  std::size_t size() const { return size_; }
  std::uint32_t slot(std::size_t k) const { return at<std::uint32_t>(slots_, k); }
  Partial value(std::size_t k) const { return at<Partial>(values_, k); }

 private:
  template <class T>
  static T at(const std::byte* from, std::size_t k) {
    T value;
    std::memcpy(&value, from + k * sizeof(T), sizeof(T));
    return value;
  }

  const std::byte* slots_;
  std::size_t size_;
  const std::byte* values_;
};

/// A list of pairs for one PE, stored in chunks. Each chunk is larger than the previous one, up to
/// the size of one message.
template <class Partial>
class entry_chunks {
 public:
  static constexpr std::size_t k_entry = sizeof(std::uint32_t) + sizeof(Partial);

  bool is_full() const { return left_ == 0; }

  void add(std::uint32_t slot, const Partial& value) {
    std::memcpy(slots_, &slot, sizeof slot);
    std::memcpy(values_, &value, sizeof value);
    slots_ += sizeof slot;
    values_ += sizeof value;
    --left_;
  }

  /// Returns the number of pairs that the current chunk can hold.
  std::size_t capacity() const { return capacity_; }

  /// Returns the bytes of the current chunk, which must be full. After sending the chunk, call
  /// `restart` to empty the chunk and reuse its memory.
  std::span<const std::byte> full_chunk() const { return {begin_, capacity_ * k_entry}; }
  void restart() { begin_at(begin_, capacity_); }

  /// Allocates the next chunk, which has room for twice as many pairs as the previous one, but at
  /// most for `most` pairs.
  void grow(chunk_memory& memory, std::size_t most) {
    const std::size_t entries = std::min(most, std::max(k_first, 2 * capacity_));
    std::byte* const chunk = memory.take(entries * k_entry);
    close();
    begin_at(chunk, entries);
  }

  /// Adds the current chunk to `chunks`, so that `chunks` contains all pairs.
  void close() {
    const std::size_t entries = capacity_ - left_;
    if (entries == 0 || begin_ == nullptr) return;
    std::memmove(slots_, begin_ + capacity_ * sizeof(std::uint32_t), entries * sizeof(Partial));
    chunks_.emplace_back(begin_, entries * k_entry);
    begin_ = nullptr;
    left_ = 0;
  }

  std::span<const std::span<const std::byte>> chunks() const { return chunks_; }

 private:
  static constexpr std::size_t k_first = 32;

  void begin_at(std::byte* chunk, std::size_t entries) {
    begin_ = slots_ = chunk;
    values_ = chunk + entries * sizeof(std::uint32_t);
    left_ = capacity_ = entries;
  }

  std::byte* slots_ = nullptr;
  std::byte* values_ = nullptr;
  std::size_t left_ = 0;
  std::size_t capacity_ = 0;
  std::byte* begin_ = nullptr;
  std::vector<std::span<const std::byte>> chunks_;
};

// Number of pairs between the pair that is being reduced and the pair whose element is prefetched.
inline constexpr std::size_t k_entries_ahead = 16;

/// Reduces each partial result of a chunk into its element. The element of slot s is at `begin` + s
/// * `unit`.
template <reduction_operation Operation>
void apply_entries(const Operation& operation, std::byte* begin, std::uint64_t unit,
                   std::span<const std::byte> chunk) {
  using value = typename Operation::value;
  const entry_view<typename Operation::partial> entries(chunk);
  const std::size_t size = entries.size();
  charge(work::line_touched, size);
  const auto reduce = [&](std::size_t k) {
    operation.apply(*reinterpret_cast<value*>(begin + entries.slot(k) * unit), entries.value(k));
  };
  const std::size_t ahead = std::min(k_entries_ahead, size);
  for (std::size_t k = 0; k < ahead; ++k) __builtin_prefetch(begin + entries.slot(k) * unit, 1);
  for (std::size_t k = 0; k < size - ahead; ++k) {
    __builtin_prefetch(begin + entries.slot(k + ahead) * unit, 1);
    reduce(k);
  }
  for (std::size_t k = size - ahead; k < size; ++k) reduce(k);
}

/// A message whose payload is a chunk. The receiver reduces the pairs of the chunk into its
/// elements.
template <reduction_operation Operation>
struct arriving_entries {
  events::name instance;
  std::uint64_t begin;
  std::uint64_t unit;
  [[no_unique_address]] Operation operation;
  transport::travelling_site where;

  void operator()(std::span<const std::byte> chunk) const {
    std::byte* const memory = instance_table::here().memory_of(instance, my_pe(), where);
    apply_entries(operation, memory + begin, unit, chunk);
  }
};

/// The lists of contributions of one PE: one list for each PE that owns elements of the part
/// `target`. The PE is allowed to change the elements of `target` only after the event `open` has
/// triggered. After `open`, each chunk of the largest size is sent as soon as the chunk is
/// full. Sending a chunk as soon as it is full takes half the time of sending it later, because the
/// chunk is still in the cache and its memory is reused.
template <reduction_operation Operation>
class entry_lists {
 public:
  using partial = typename Operation::partial;

  /// Makes empty lists. Chunks are sent only after the event `open` has triggered, so the
  /// constructor subscribes this PE to `open`.
  entry_lists(const Operation& operation, const field_part<1>& target, event open, site where)
      : operation_(operation),
        places_(target),
        lists_(static_cast<std::size_t>(pes())),
        most_(this_pe().messages->template payload_capacity<arriving_entries<Operation>>() /
              entry_chunks<partial>::k_entry),
        open_(open),
        where_(where) {
    memory::check_payload<arriving_entries<Operation>>(entry_chunks<partial>::k_entry, where);
    open.subscribe(where);
  }
  entry_lists(const entry_lists&) = delete;
  entry_lists& operator=(const entry_lists&) = delete;

  void add(std::uint64_t i, const partial& value) {
    const element_place place = places_[i];
    entry_chunks<partial>& list = lists_[static_cast<std::size_t>(place.pe)];
    if (list.is_full()) [[unlikely]]
      make_room(place.pe, list);
    list.add(place.slot, value);
  }

  const element_map& places() const { return places_; }

  /// Returns true if all sent chunks have been reduced into the elements, and no failure is left to
  /// report.
  bool is_settled() { return sent_.activity().pending == 0 && !sent_.activity().failure; }

  /// Sends the remaining pairs, and waits until all pairs have been reduced into the elements.
  /// Rethrows the first failure, if any.
  task<> finish_all() {
    try {
      co_await send_rest();
    } catch (...) {
      fail();
    }
    co_await sent_.wait(where_);
  }

  /// Returns true if some sent chunks have not been reduced yet.
  bool is_under_way() { return sent_.activity().pending != 0; }

  /// Waits until all sent chunks have been reduced.
  task<> finish_sent() { co_await sent_.wait(where_); }

 private:
  task<> send_rest() {
    for (int step = 1; step <= pes(); ++step) {
      const int pe = (my_pe() + step) % pes();
      entry_chunks<partial>& list = lists_[static_cast<std::size_t>(pe)];
      list.close();
      for (const auto chunk : list.chunks()) {
        deliver(pe, chunk);
        co_await room(where_);
      }
    }
  }

  bool may_leave() const { return open_.has_triggered(where_) && !open_.is_poisoned(); }

  [[gnu::noinline]] void make_room(int pe, entry_chunks<partial>& list) {
    if (list.capacity() < most_ || !may_leave()) return list.grow(memory_, most_);
    deliver(pe, list.full_chunk());
    list.restart();
  }

  void deliver(int pe, std::span<const std::byte> chunk) {
    const field_layout<1>& field = places_.field();
    const arriving_entries<Operation> message{field.instance, field.begin, places_.unit(),
                                              operation_, where_};
    charge(work::byte_copied, chunk.size());  // the work of filling the chunk
    if (pe == my_pe()) return reduce_here(message, chunk);
    const entered_scope within(sent_);
    this_pe().messages->send_with<message::traffic::tracked>(pe, message, chunk, where_);
  }

  void reduce_here(const arriving_entries<Operation>& message, std::span<const std::byte> chunk) {
    try {
      message(chunk);
    } catch (...) {
      fail();
    }
  }

  /// Records the current exception, which `finish_all` rethrows.
  void fail() { this_pe().messages->fail_in(sent_.activity(), std::current_exception(), where_); }

  /// While this object exists, `inner` is the enclosing scope, so that `inner` waits for the sent
  /// messages.
  class entered_scope {
   public:
    explicit entered_scope(scope& inner)
        : outer_(this_pe().messages->enclosing_slot()), activity_(&inner.activity()) {
      this_pe().messages->enter(&activity_);
    }
    ~entered_scope() { this_pe().messages->enter(outer_); }
    entered_scope(const entered_scope&) = delete;
    entered_scope& operator=(const entered_scope&) = delete;

   private:
    message::activity** outer_;
    message::activity* activity_;
  };

  [[no_unique_address]] Operation operation_;
  element_map places_;
  chunk_memory memory_;
  std::vector<entry_chunks<partial>> lists_;
  std::size_t most_;
  event open_;
  site where_;
  scope sent_;  // counts the chunks that were sent
};

/// Owns an `entry_lists` object. If the owner is destroyed before all sent chunks have been
/// reduced, a separate task keeps the lists and waits for the sent chunks.
template <reduction_operation Operation>
class owned_lists {
 public:
  using lists = entry_lists<Operation>;

  owned_lists(const Operation& operation, const field_part<1>& target, event open, site where)
      : lists_(std::make_unique<lists>(operation, target, open, where)), where_(where) {}
  owned_lists(owned_lists&&) noexcept = default;
  owned_lists& operator=(owned_lists&& other) noexcept {
    std::swap(lists_, other.lists_);
    std::swap(where_, other.where_);
    return *this;
  }
  ~owned_lists() {
    if (lists_ && !lists_->is_settled()) abandon(lists_.release(), where_);
  }

  lists* operator->() const { return lists_.get(); }

 private:
  static void abandon(lists* kept, site where) noexcept {
    try {
      auto wait_for_sent = [kept, where]() -> task<> {
        const std::unique_ptr<lists> own(kept);
        const auto wait = [&] { return own->finish_sent(); };
        try {
          co_await write_or_poison(own->places().field(), wait, where);
        } catch (const std::exception&) {
          // the instance is marked as invalid, so later accesses to the instance throw the error
        }
      };
      tasks::spawn_owed(std::move(wait_for_sent), where);
    } catch (const std::exception&) {
      // There is no memory for a task, so the lists are kept until the job ends.
      const auto end = [](lists* all) {
        if (!all->is_under_way()) delete all;
      };
      this_pe().memory->keep(std::shared_ptr<lists>(kept, end));
    }
  }

  std::unique_ptr<lists> lists_;
  site where_;
};

}  // namespace atl::regions
