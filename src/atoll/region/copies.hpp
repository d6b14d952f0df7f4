#pragma once
// Copies and fills of rectangles of region instances, which begin when an event has triggered, and
// reductions of one into another (memory/reduction.hpp).

#include "atoll/event/deferred.hpp"
#include "atoll/memory/reduction.hpp"
#include "atoll/region/filling.hpp"
#include "atoll/region/instance.hpp"
#include "atoll/region/reducing.hpp"
#include "atoll/region/transfer.hpp"

namespace atl {

/// Copies the elements of `from` to those of `to`, which has the same extents, when `precondition`
/// has triggered. The two are of any placement and layout, and do not overlap. Does not wait.
/// Throws atl::error: input where the extents differ or they overlap; out_of_memory. The event
/// fails with atl::error (input) where an element has to travel that one message cannot take.
/// `report` is told the times of it, as by `timed`.
template <class T, std::size_t N, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event copy_when(event precondition, const region_part<T, N>& to,
                              const std::type_identity_t<region_part<T, N>>& from,
                              Report report = {}, site where = site::current()) {
  regions::check_both(to.described(), from.described());
  const auto copy = [to = to.described(), from = from.described(), where] {
    return regions::transfer(to, from, regions::storing_of<T>(to), where);
  };
  return spawn_when(precondition, timed(copy, std::move(report)), where);
}

/// Stores `value` in all elements of `to` when `precondition` has triggered. Does not wait. Throws
/// atl::error (out_of_memory). `report` as for `copy_when`.
template <class T, std::size_t N, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event fill_when(event precondition, const region_part<T, N>& to,
                              const std::type_identity_t<T>& value, Report report = {},
                              site where = site::current()) {
  const auto fill = [to = to.described(), value, where] { return regions::fill(to, value, where); };
  return spawn_when(precondition, timed(fill, std::move(report)), where);
}

/// Reduces each element of `from` into that of `to`, by `operation.apply`, when `precondition` has
/// triggered. The owner of `to` does it, so that several may reduce into the same elements at once.
/// Otherwise as `copy_when`.
template <reduction_operation Operation, std::size_t N, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event
reduce_when(event precondition, const region_part<typename Operation::value, N>& to,
            const region_part<typename Operation::partial, N>& from, const Operation& operation,
            Report report = {}, site where = site::current()) {
  regions::check_both(to.described(), from.described());
  const auto reduce = [to = to.described(), from = from.described(), operation, where] {
    return regions::transfer(to, from, regions::applying<Operation>{operation}, where);
  };
  return spawn_when(precondition, timed(reduce, std::move(report)), where);
}

}  // namespace atl
