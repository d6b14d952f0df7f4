#pragma once
// The types of elements in random programs, and the reductions on them. Each element holds a value
// of the model.

#include "atoll/instance.hpp"
#include "atoll/random.hpp"
#include "region/model/contents.hpp"

#include <variant>

namespace atl::test {

using narrow_element = std::int16_t;
using wide_element = std::int64_t;
/// An element whose alignment is stricter than the alignment of data in a message.
struct alignas(16) pair_element {
  std::int64_t value = 0;
  std::uint64_t echo = 0;
};

template <class T>
constexpr T element_of(std::int64_t value) {
  if constexpr (std::same_as<T, pair_element>)
    return {value, hash(static_cast<std::uint64_t>(value))};
  else
    return static_cast<T>(value);
}

/// Returns the value that the element holds, or -1 if the element has been written only partly.
constexpr std::int64_t value_of(std::int64_t element) { return element; }
constexpr std::int64_t value_of(const pair_element& element) {
  return element.echo == hash(static_cast<std::uint64_t>(element.value)) ? element.value : -1;
}

/// A reduction of random programs. The reduction throws an error if it gets the value `refused`;
/// with -1, it never throws.
template <class Value, class Partial>
struct modelled_reduction {
  using value = Value;
  using partial = Partial;

  reduction_kind kind;
  std::int64_t refused;
  std::size_t error_number;

  Partial identity() const { return element_of<Partial>(0); }
  void fold(Partial& left, const Partial& right) const { reduce(left, right); }
  void apply(Value& data, const Partial& more) const {
    if (value_of(more) == refused)
      throw error(errc::input, "fault " + std::to_string(error_number));
    reduce(data, more);
  }

 private:
  template <class To>
  void reduce(To& to, const Partial& from) const {
    std::int64_t data = value_of(to);
    const std::int64_t more = value_of(from);
    switch (kind) {
    case reduction_kind::sum:
      sum<std::int64_t>{}.apply(data, more);
      data %= k_modulus;
      break;
    case reduction_kind::min:
      min<std::int64_t>{}.apply(data, more);
      break;
    default:
      max<std::int64_t>{}.apply(data, more);
    }
    to = element_of<To>(data);
  }
};

template <std::size_t N>
using any_instance =
    std::variant<region_instance<N, pair_element>, region_instance<N, wide_element>,
                 region_instance<N, narrow_element, pair_element, wide_element>>;

/// Returns the index of the field whose elements have type `T`, or the number of fields if no field
/// has this type.
template <class T, class... Fields>
constexpr std::size_t place_of_field() {
  std::size_t place = 0;
  static_cast<void>(((!std::same_as<T, Fields> && ++place != 0) && ...));
  return place;
}

template <class T, std::size_t N, class... Fields>
region_part<T, N> part_with(const region_instance<N, Fields...>& of, const rectangle<N>& points) {
  constexpr std::size_t which = place_of_field<T, Fields...>();
  if constexpr (which < sizeof...(Fields))
    return of.template part<which>(points);
  else
    fail(errc::input, "the instance has no such field");
}

template <std::size_t N>
rectangle<N> rectangle_of_box(const box& points) {
  rectangle<N> made;
  std::copy_n(points.low.begin(), N, made.low.begin());
  std::copy_n(points.high.begin(), N, made.high.begin());
  return made;
}

/// Returns the part of an array that `plan` describes.
template <class T, std::size_t N>
region_part<T, N> part_of(const any_instance<N>& instance, const part_plan& plan) {
  auto part = std::visit(
      [&](const auto& made) { return part_with<T>(made, rectangle_of_box<N>(plan.outer)); },
      instance);
  if constexpr (N > 1)
    for (const auto& [a, b] : plan.exchanges) part = part.transposed(a, b);
  rectangle<N> own;
  for (std::size_t d = 0; d < N; ++d) {
    const std::size_t axis = plan.axes[d];
    own.low[d] = plan.points.low[axis] - plan.outer.low[axis];
    own.high[d] = plan.points.high[axis] - plan.outer.low[axis];
  }
  return part.cut(own);
}

inline instance_placement placement_of(const array_plan& plan) {
  const auto chosen = [&] {
    switch (plan.place) {
    case place_kind::on_pe:
      return instance_placement::on(plan.pe);
    case place_kind::in_node_memory:
      return instance_placement::in_node_memory_of(plan.pe);
    case place_kind::spread:
      return instance_placement::spread();
    default:
      return instance_placement::in_blocks<3>(plan.block);
    }
  }();
  return plan.is_beside ? chosen.with(field_order::array_of_structures) : chosen;
}

template <std::size_t N>
any_instance<N> instance_of(const array_plan& plan, event when) {
  const auto bounds = rectangle_of_box<N>(plan.bounds);
  const auto place = placement_of(plan);
  if (!plan.only)
    return make_instance<narrow_element, pair_element, wide_element>(bounds, place, when);
  if (*plan.only == element_kind::wide) return make_instance<wide_element>(bounds, place, when);
  return make_instance<pair_element>(bounds, place, when);
}

/// Calls `visit` with a null pointer to the element type that `kind` names.
template <class Visit>
auto with_element(element_kind kind, const Visit& visit) {
  switch (kind) {
  case element_kind::narrow:
    return visit(static_cast<narrow_element*>(nullptr));
  case element_kind::pair:
    return visit(static_cast<pair_element*>(nullptr));
  default:
    return visit(static_cast<wide_element*>(nullptr));
  }
}

}  // namespace atl::test
