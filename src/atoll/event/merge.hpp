#pragma once
// Events that depend on several others, of any PEs. Made on the PE of the caller; where one of the
// inputs would do, that is what is returned.

#include "atoll/event/event.hpp"

#include <initializer_list>
#include <ranges>
#include <span>
#include <vector>

namespace atl {
namespace events {

template <class Range>
concept of_events = std::ranges::input_range<Range> &&
                    std::convertible_to<std::ranges::range_reference_t<Range>, event>;

/// Calls `function(std::span<const event>)` with these events.
template <of_events Range, class Function>
auto with_span(Range&& range, const Function& function) {
  if constexpr (std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                std::same_as<std::ranges::range_value_t<Range>, event>) {
    return function(std::span<const event>(std::ranges::data(range), std::ranges::size(range)));
  } else {
    std::vector<event> all;
    for (auto&& each : range) all.push_back(each);
    return function(std::span<const event>(all));
  }
}

}  // namespace events

/// Triggers when all inputs have; fails with the first of them that fails, at once. Throws
/// atl::error (out_of_memory).
event merge_events(std::span<const event> inputs, site where = site::current());
inline event merge_events(std::initializer_list<event> inputs, site where = site::current()) {
  return merge_events(std::span<const event>(inputs.begin(), inputs.size()), where);
}
template <events::of_events Range>
event merge_events(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return merge_events(all, where); });
}

/// Triggers with the first input that does; fails when all have, with the first of their errors.
event any_of_events(std::span<const event> inputs, site where = site::current());
inline event any_of_events(std::initializer_list<event> inputs, site where = site::current()) {
  return any_of_events(std::span<const event>(inputs.begin(), inputs.size()), where);
}
template <events::of_events Range>
event any_of_events(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return any_of_events(all, where); });
}

/// Triggers when all inputs have triggered or failed, and never fails: what waits for it goes on
/// whatever has become of them.
event ignore_faults(std::span<const event> inputs, site where = site::current());
inline event ignore_faults(std::initializer_list<event> inputs, site where = site::current()) {
  return ignore_faults(std::span<const event>(inputs.begin(), inputs.size()), where);
}
inline event ignore_faults(event input, site where = site::current()) {
  return ignore_faults(std::span<const event>(&input, 1), where);
}
template <events::of_events Range>
event ignore_faults(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return ignore_faults(all, where); });
}

}  // namespace atl
