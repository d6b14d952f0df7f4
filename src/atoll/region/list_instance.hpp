#pragma once
// Reduction instances that are lists of (element, partial result): for contributions to few of many
// elements. (The reduction list instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

#include "atoll/event/deferred.hpp"
#include "atoll/memory/reduction.hpp"
#include "atoll/region/element_map.hpp"
#include "atoll/region/entry_chunks.hpp"
#include "atoll/region/transfer.hpp"

#include <utility>

namespace atl {
namespace regions {

// So many elements further on are fetched while one is reduced.
inline constexpr std::size_t k_entries_ahead = 16;

/// Reduces what a chunk holds into the elements, whose slot 0 is at `begin`.
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

/// A chunk as it travels.
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

/// The contributions of one PE by the owners of their elements.
template <reduction_operation Operation>
class entry_lists {
 public:
  using partial = typename Operation::partial;

  entry_lists(const Operation& operation, const field_part<1>& target)
      : operation_(operation),
        places_(target),
        lists_(static_cast<std::size_t>(pes())),
        most_(this_pe().messages->payload_capacity<arriving_entries<Operation>>() /
              entry_chunks<partial>::k_entry) {}

  void add(std::uint64_t i, const partial& value) {
    const element_place place = places_[i];
    entry_chunks<partial>& list = lists_[static_cast<std::size_t>(place.pe)];
    if (list.is_full()) [[unlikely]]
      list.grow(memory_, most_);
    list.add(place.slot, value);
  }

  const element_map& places() const { return places_; }

  /// Calls `visit(i, value)` for all of them. Nothing is added any more.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (int pe = 0; pe < pes(); ++pe) {
      entry_chunks<partial>& list = lists_[static_cast<std::size_t>(pe)];
      list.close();
      for (const auto chunk : list.chunks()) {
        const entry_view<partial> entries(chunk);
        for (std::size_t k = 0; k < entries.size(); ++k)
          visit(places_.index_of({pe, entries.slot(k)}), entries.value(k));
      }
    }
  }

  /// Sends them to the owners, and reduces those of this PE; counted by the enclosing scope.
  task<> send(site where) {
    for (int step = 1; step <= pes(); ++step) {
      const int pe = (my_pe() + step) % pes();
      entry_chunks<partial>& list = lists_[static_cast<std::size_t>(pe)];
      list.close();
      for (const auto chunk : list.chunks()) {
        deliver(pe, chunk, where);
        co_await room(where);
      }
    }
  }

 private:
  void deliver(int pe, std::span<const std::byte> chunk, site where) const {
    const field_layout<1>& field = places_.field();
    const arriving_entries<Operation> message{field.instance, field.begin, places_.unit(),
                                              operation_, where};
    if (pe == my_pe()) return message(chunk);
    this_pe().messages->send_with<message::traffic::tracked>(pe, message, chunk, where);
  }

  [[no_unique_address]] Operation operation_;
  element_map places_;
  chunk_memory memory_;
  std::vector<entry_chunks<partial>> lists_;
  std::size_t most_;
};

}  // namespace regions

/// A list of contributions to the elements of a one-dimensional part, on this PE. Not to be copied.
template <reduction_operation Operation>
class list_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  list_instance(const Operation& operation, const target_part& target)
      : lists_(operation, target.described()) {}

  /// Notes that `value` is to be reduced into element `i` of the part. Does not communicate. Throws
  /// atl::error (out_of_memory).
  void reduce(std::uint64_t i, const partial& value) { lists_.add(i, value); }

  /// Reduces all of it into the part when `precondition` has triggered; the owners of the elements
  /// do that, so that several instances may be merged at once. The list is empty then, and not to
  /// be used any more. Does not wait. Throws atl::error (out_of_memory).
  [[nodiscard]] event merge(event precondition = event::none, site where = site::current()) {
    const auto field = lists_.places().field();
    auto merge_all = [lists = std::move(lists_), field, where]() mutable -> task<> {
      const auto send = [&] { return lists.send(where); };
      co_await regions::write_or_poison(field, send, where);
    };
    return spawn_when(precondition, std::move(merge_all), where);
  }

 private:
  regions::entry_lists<Operation> lists_;
};

}  // namespace atl
