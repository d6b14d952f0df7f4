#pragma once
// Copies and fills that begin when an event has triggered (deferred.hpp): between the global memory
// of any two PEs, asked for on a third.

#include "atoll/event/deferred.hpp"
#include "atoll/memory/bulk.hpp"

#include <algorithm>
#include <concepts>
#include <utility>

namespace atl {

/// Consecutive elements of a global array. A value, as the array. Made of an array it is all of it.
template <class T>
struct array_part {
  global_array<T> array;
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  array_part(global_array<T> whole) : array(whole), count(whole.size()) {}
  array_part(global_array<T> of, std::uint64_t first_, std::uint64_t count_,
             site where = site::current())
      : array(of), first(first_), count(count_) {
    if (first > array.size() || count > array.size() - first)
      memory::refuse_elements(first, count, array.size(), where);
  }
};

namespace events {

/// Calls `visit(pe, offset, done, count)` for each stretch of the part that lies on one PE, `done`
/// elements being before it.
template <class T, class Visit>
void for_each_stretch(const array_part<T>& part, site where, const Visit& visit) {
  for (std::uint64_t done = 0; done < part.count;) {
    const std::uint64_t i = part.first + done;
    const std::uint64_t to_block_end = part.array.block_size() - i % part.array.block_size();
    const auto count = std::min<std::uint64_t>(part.count - done, to_block_end);
    const global_address<T> begin = part.array[i];
    memory::check_access(begin.pe(), begin.offset(), count * sizeof(T), where);
    visit(begin.pe(), begin.offset(), done, count);
    done += count;
  }
}

/// Each owner of a stretch puts it where it belongs.
template <class T>
task<> copy_now(array_part<T> to, array_part<T> from, site where) {
  const auto ask_owners = [&] {
    for_each_stretch(
        from, where, [&](int pe, std::uint64_t offset, std::uint64_t done, std::uint64_t count) {
          const auto put_there = [to = to.array, first = to.first + done, offset, count,
                                  place = transport::travelling_site(where)] {
            return put(to, first, std::span<const T>(&object_at<T>(offset), count), place);
          };
          async_call(pe, put_there, where);
        });
  };
  co_await finish(ask_owners, where);
}

template <class T>
task<> fill_now(array_part<T> to, T value, site where) {
  const auto ask_owners = [&] {
    const auto fill_stretch = [&](int pe, std::uint64_t offset, std::uint64_t,
                                  std::uint64_t count) {
      const auto fill = [offset, count, value] {
        std::fill_n(&object_at<T>(offset), count, value);
      };
      async_call(pe, fill, where);
    };
    for_each_stretch(to, where, fill_stretch);
  };
  co_await finish(ask_owners, where);
}

}  // namespace events

/// Copies the elements of `from` to those of `to`, of which there are as many, and which lie
/// elsewhere, when `precondition` has triggered. Does not wait. Throws atl::error: input where the
/// parts are of different lengths; out_of_memory. `report` is told the times of it, as by `timed`.
template <class T, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event copy_when(event precondition, std::type_identity_t<array_part<T>> to,
                              array_part<T> from, Report report = {},
                              site where = site::current()) {
  if (to.count != from.count) memory::refuse_elements(to.first, from.count, to.count, where);
  const auto copy = [to, from, where] { return events::copy_now<T>(to, from, where); };
  return spawn_when(precondition, timed(copy, std::move(report)), where);
}

/// Stores `value` in all elements of `to` when `precondition` has triggered. Does not wait. Throws
/// atl::error (out_of_memory). `report` as for `copy_when`.
template <class T, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event fill_when(event precondition, array_part<T> to, std::type_identity_t<T> value,
                              Report report = {}, site where = site::current()) {
  const auto fill = [to, value, where] { return events::fill_now<T>(to, value, where); };
  return spawn_when(precondition, timed(fill, std::move(report)), where);
}

/// As these, for all of an array.
template <class T, class Report = no_report>
[[nodiscard]] event copy_when(event precondition, std::type_identity_t<global_array<T>> to,
                              global_array<T> from, Report report = {},
                              site where = site::current()) {
  return copy_when<T>(precondition, array_part<T>(to), array_part<T>(from), std::move(report),
                      where);
}
template <class T, class Report = no_report>
[[nodiscard]] event fill_when(event precondition, global_array<T> to, std::type_identity_t<T> value,
                              Report report = {}, site where = site::current()) {
  return fill_when<T>(precondition, array_part<T>(to), value, std::move(report), where);
}

}  // namespace atl
