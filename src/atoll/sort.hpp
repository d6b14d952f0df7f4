#pragma once
// Sorting a global array. Each PE sorts what it has; where its items are to be cut, so that every
// PE gets exactly its share of all, is found by exchanging a few of them; then each item travels
// once, and each PE merges what has come, and puts it where it belongs. So the work of PEs is the
// same for any items, also if all are equal.

#include "atoll/array.hpp"
#include "atoll/collectives.hpp"
#include "atoll/memory/sort_merge.hpp"
#include "atoll/memory/sort_selection.hpp"
#include "atoll/memory/sort_steps.hpp"

#include <functional>
#include <type_traits>

namespace atl {

/// What `sort` may be told.
struct sort_options {
  bool stable = false;  ///< equal elements keep their order
};

/// Sorts the elements, by `compare(a, b)`: whether a comes before b, a strict weak order that
/// travels. By default numbers ascend, by std::greater<> they descend; NaN comes last. One task
/// calls it, and waits until all are in their places; nothing else uses the array meanwhile. Throws
/// atl::error (input) where the array was destroyed; what `compare` throws ends the job. Each PE
/// needs memory for about five times its elements; for a stable sort of an array in blocks dealt
/// round, besides for 8 bytes an element each time.
template <class T, class Compare = std::less<>>
task<> sort(global_array<T> array, Compare compare = {}, sort_options options = {},
            site where = site::current()) {
  static constexpr memory::call_of_one k_sort{"sort", "all_sort"};
  static_cast<void>(array.local(where));
  const memory::named_call call(k_sort, where);
  const memory::sorting<T, Compare> on_each{array, {compare}, options.stable};
  co_await together(on_each, where);
}

/// The same. Every PE calls it, with the same arguments, once all have written their elements.
template <class T, class Compare = std::less<>>
task<> all_sort(global_array<T> array, Compare compare = {}, sort_options options = {},
                site where = site::current()) {
  static constexpr memory::call_of_one k_all_sort{"all_sort", nullptr};
  static_cast<void>(array.local(where));
  const memory::named_call call(k_all_sort, where);
  using sorting = memory::sorting<T, Compare>;
  const sorting on_this{array, {compare}, options.stable};
  const auto begin = [](const void* own) { return (*static_cast<const sorting*>(own))(); };
  co_await memory::ending_the_job(begin, &on_this, memory::call_here(where));
}

}  // namespace atl
