#pragma once
// A PE stores contributions to elements either as a list of pairs, or as one partial result per
// element. The function `most_in_list` determines when partial results are cheaper than a list. The
// file also has the code that reduces partial results into the elements.

#include "atoll/deferred.hpp"
#include "atoll/message/send_buffer.hpp"
#include "atoll/reduction.hpp"
#include "atoll/region/element_map.hpp"
#include "atoll/region/entry_lists.hpp"
#include "atoll/region/strided.hpp"
#include "atoll/region/transfer.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace atl::regions {

// The next class is a small cache in front of a list. The cache has partial results of the elements
// that got contributions most recently. If a few elements get most contributions, most
// contributions are combined in the cache and do not enter the list.

template <reduction_operation Operation>
class recent_elements {
 public:
  using partial = typename Operation::partial;

  static constexpr std::uint64_t k_size = 1 << 10;

  explicit recent_elements(const Operation& operation)
      : entries_(k_size, entry{k_none, operation.identity()}) {}

  /// If element `i` is cached, folds `value` into its partial result. If element `i` is not cached,
  /// caches it. If the insertion evicts another element, calls `leave(element, partial)` with the
  /// evicted element.
  template <class Leave>
  void reduce(const Operation& operation, std::uint64_t i, const partial& value,
              const Leave& leave) {
    entry& here = entries_[i * k_multiplier >> (64 - std::countr_zero(k_size))];
    if (here.element == i) {
      operation.fold(here.folded, value);
      ++hits_;
      return;
    }
    if (here.element != k_none) leave(here.element, here.folded);
    here = {i, value};
  }

  /// Returns the number of cache hits: contributions whose element was in the cache.
  std::uint64_t hits() const { return hits_; }

  /// Removes all elements from the cache, and calls `leave` for each removed element.
  template <class Leave>
  void clear(const Leave& leave) {
    for (entry& each : entries_) {
      if (each.element != k_none) leave(each.element, each.folded);
      each.element = k_none;
    }
  }

 private:
  static constexpr std::uint64_t k_none = std::uint64_t(-1);
  static constexpr std::uint64_t k_multiplier = 0x9e3779b97f4a7c15u;
  struct entry {
    std::uint64_t element;
    partial folded;
  };

  std::vector<entry> entries_;
  std::uint64_t hits_ = 0;
};

/// A `Store` (transfer.hpp) that reduces partial results into the elements of an instance. Only the
/// owner of an element applies the operation.
template <reduction_operation Operation>
struct applying {
  using value = typename Operation::value;
  using partial = typename Operation::partial;
  static constexpr bool reaches_others = false;

  Operation operation;

  std::size_t source_bytes() const { return sizeof(partial); }

  void operator()(const strided& to, const strided& from, const extents& extent) const {
    const strided_pair both(to, from, extent);
    const std::int64_t length = both.extent[2];
    if (both.to.step[2] == sizeof(value) && both.from.step[2] == sizeof(partial)) {
      both.for_each_row([&](std::byte* row, const std::byte* partials) {
        for (std::int64_t k = 0; k < length; ++k)
          apply_one(row + k * std::int64_t{sizeof(value)},
                    partials + k * std::int64_t{sizeof(partial)});
      });
    } else {
      both.for_each_row([&](std::byte* row, const std::byte* partials) {
        for (std::int64_t k = 0; k < length; ++k)
          apply_one(row + k * both.to.step[2], partials + k * both.from.step[2]);
      });
    }
  }

 private:
  /// Reduces one partial result into the element at `data`. A partial result in a message may lack
  /// the alignment that its type requires, so the function copies it first.
  void apply_one(std::byte* data, const std::byte* more) const {
    auto& into = *reinterpret_cast<value*>(data);
    if constexpr (alignof(partial) <= message::k_unit) {
      operation.apply(into, *reinterpret_cast<const partial*>(more));
    } else {
      alignas(partial) std::array<std::byte, sizeof(partial)> aligned;
      std::memcpy(aligned.data(), more, sizeof(partial));
      operation.apply(into, *reinterpret_cast<const partial*>(aligned.data()));
    }
  }
};

// The next class stores contributions as one partial result per element.

/// One PE's partial results, one for each element of a part.
template <reduction_operation Operation>
class folded_elements {
 public:
  using partial = typename Operation::partial;

  folded_elements() = default;
  folded_elements(const Operation& operation, std::uint64_t size)
      : memory_(size * sizeof(partial)) {
    const partial identity = operation.identity();
    const auto bytes = std::as_bytes(std::span(&identity, 1));
    const auto is_zero = [](std::byte each) { return each == std::byte{0}; };
    if (!std::all_of(bytes.begin(), bytes.end(), is_zero)) std::fill_n(elements(), size, identity);
  }

  partial& operator[](std::uint64_t i) const { return elements()[i]; }
  explicit operator bool() const { return memory_.data() != nullptr; }

  /// Sends the partial results to the owners of the elements, which reduce them into the elements.
  /// For its own elements, this PE applies the operation directly. The enclosing scope waits until
  /// all messages have been executed.
  task<> send(const Operation& operation, const field_part<1>& target, site where) const {
    memory::check_payload<message_type>(sizeof(partial), where);
    std::vector<rectangle<1>> blocks;
    target.for_each_block(rectangle_of(target.extents()),
                          [&](const rectangle<1>& points) { blocks.push_back(points); });
    const auto first_own = std::find_if(blocks.begin(), blocks.end(), [&](const auto& points) {
      return target.owner_of(points) >= my_pe();
    });
    std::rotate(blocks.begin(), first_own, blocks.end());  // each PE begins with a different block
    for (const rectangle<1>& points : blocks) {
      const std::uint64_t most = bytes_at_a_time(target.owner_of(points)) / sizeof(partial);
      const slices<1> parts(points, most);
      for (std::uint64_t k = 0; k < parts.size(); ++k) {
        deliver(operation, target, parts[k], where);
        co_await room(where);
      }
    }
  }

 private:
  using message_type = stored_slice<applying<Operation>>;

  partial* elements() const { return reinterpret_cast<partial*>(memory_.data()); }

  static std::uint64_t bytes_at_a_time(int pe) {
    return pe == my_pe() ? k_slice_bytes
                         : this_pe().messages->template payload_capacity<message_type>();
  }

  void deliver(const Operation& operation, const field_part<1>& target, const rectangle<1>& points,
               site where) const {
    const message_type message{target.field.instance, target.place_of(points),
                               target.steps(),        all_extents(points),
                               {operation},           where};
    const std::span sent(elements() + points.low[0], points.volume());
    const int pe = target.owner_of(points);
    if (pe == my_pe()) return message(std::as_bytes(sent));
    this_pe().messages->send_with<message::traffic::tracked>(pe, message, std::as_bytes(sent),
                                                             where);
  }

  own_memory memory_;
};

// The next constants were measured (docs/log/performance.md). A contribution in a list takes as
// much time as initialising and reducing `k_elements_an_entry` partial results.
inline constexpr std::uint64_t k_elements_an_entry = 2;
// If the number of contributions is not known in advance, a contribution in a list counts as
// `k_elements_an_unexpected_entry` partial results. This constant exceeds `k_elements_an_entry`, so
// that a PE switches to partial results earlier if the number of contributions is unknown.
inline constexpr std::uint64_t k_elements_an_unexpected_entry = 4;
// If all partial results together take at most this many bytes, they stay in the processor's cache.
// If the partial results take more memory, an access to a partial result costs as much as an append
// to a list.
inline constexpr std::uint64_t k_bytes_of_cheap_fold = std::uint64_t{4} << 20;
// After this number of contributions, a reduction instance counts the hits in its cache of recent
// elements, and decides whether to keep the cache. For lists that are sent over a network, the
// cache saves time if at least a quarter of the contributions are cache hits. Within a node, the
// cache of recent elements saves time only if nearly all contributions hit this cache, because a
// mispredicted branch costs more than appending to a list.
inline constexpr std::uint64_t k_sample = 2048;
inline constexpr std::uint64_t k_hits_over_network = k_sample / 4;
inline constexpr std::uint64_t k_hits_within_node = k_sample - k_sample / 16;

/// Returns the number of contributions after which the list is replaced by partial results.
/// `elements` is the number of elements. `expected` is the number of all contributions, or 0 if the
/// number is unknown.
constexpr std::uint64_t most_in_list(std::uint64_t elements, std::uint64_t expected) {
  if (expected == 0) return std::max(k_sample, elements / k_elements_an_unexpected_entry);
  return expected > elements / k_elements_an_entry ? k_sample : std::uint64_t(-1);
}

}  // namespace atl::regions
