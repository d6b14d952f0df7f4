#pragma once
// Reduction instances that hold a partial result for each element: for contributions to most of
// them. (The reduction fold instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

#include "atoll/event/deferred.hpp"
#include "atoll/memory/reduction.hpp"
#include "atoll/region/element_map.hpp"
#include "atoll/region/reducing.hpp"
#include "atoll/region/transfer.hpp"

#include <algorithm>
#include <utility>

namespace atl {
namespace regions {

/// Partial results of one PE for all elements of a part.
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

  /// Sends those of other PEs to them, and reduces those of this PE; counted by the enclosing
  /// scope.
  task<> send(const Operation& operation, const field_part<1>& target, site where) const {
    memory::check_payload<message_type>(sizeof(partial), where);
    std::vector<rectangle<1>> blocks;
    target.for_each_block(rectangle_of(target.extents()),
                          [&](const rectangle<1>& points) { blocks.push_back(points); });
    const auto first_own = std::find_if(blocks.begin(), blocks.end(), [&](const auto& points) {
      return target.owner_of(points) >= my_pe();
    });
    std::rotate(blocks.begin(), first_own, blocks.end());  // so that not all begin with one PE
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

}  // namespace regions

/// A partial result for each element of a one-dimensional part, of one task.
template <reduction_operation Operation>
class fold_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// They may be reduced into the part when `open` has triggered. Throws atl::error
  /// (out_of_memory).
  fold_instance(const Operation& operation, const target_part& target, event open = event::none)
      : operation_(operation),
        target_(target.described()),
        elements_(operation, target_.points.volume()),
        open_(open) {}

  /// Folds `value` into the partial result of element `i`. Does not communicate. In debug builds
  /// throws atl::error (input) where there is no such element.
  void reduce(std::uint64_t i, const partial& value) {
    regions::check_element_in_debug(i, target_.points.volume());
    operation_.fold(elements_[i], value);
  }

  /// It has partial results for all elements, and is no list.
  static constexpr bool is_fold() { return true; }

  /// As that of `list_instance`.
  [[nodiscard]] event merge(site where = site::current()) {
    auto merge_all = [elements = std::move(elements_), operation = operation_, target = target_,
                      where]() -> task<> {
      const auto send = [&] { return elements.send(operation, target, where); };
      co_await regions::write_or_poison(target.field, send, where);
    };
    return spawn_when(open_, std::move(merge_all), where);
  }

 private:
  [[no_unique_address]] Operation operation_;
  regions::field_part<1> target_;
  regions::folded_elements<Operation> elements_;
  event open_;
};

}  // namespace atl
