#pragma once
// This header sorts a global array. Each PE sorts its own elements. The PEs then exchange a few
// elements to find where to cut, so that every PE gets exactly its share. Each element is sent
// once. Each PE merges the elements that it receives, and stores them in their place. The work of
// all PEs is therefore the same for any elements, even if all are equal.

#include "atoll/array.hpp"
#include "atoll/collectives.hpp"
#include "atoll/memory/sort_steps.hpp"

#include <functional>
#include <type_traits>

namespace atl {

/// Options of `sort`.
struct sort_options {
  bool stable = false;  ///< whether equal elements keep their order
};

/// Sorts the elements of `array` by `compare(a, b)`, which returns whether a comes before b.
/// `compare` must be a strict weak order and trivially copyable. By default numbers ascend; with
/// std::greater<> they descend. A NaN comes last. One task calls this function and is suspended
/// until all elements are in their places. Nothing else may use the array meanwhile.
///
/// Each PE needs memory for about five times its elements. If PEs have several blocks each, a
/// stable sort needs 8 bytes more per element in each of these copies. Throws atl::error (input) if
/// the array was destroyed. An exception of `compare` ends the job.
template <class T, class Compare = std::less<>>
task<> sort(global_array<T> array, Compare compare = {}, sort_options options = {},
            site where = site::current()) {
  static constexpr memory::call_of_one k_sort{"sort", "all_sort"};
  static_cast<void>(array.local(where));
  const memory::named_call call(k_sort, where);
  const memory::sorting<T, Compare> on_each{array, {compare}, options.stable};
  co_await together(on_each, where);
}

/// Sorts the elements of `array`, as `sort` does. Every PE must call this function with the same
/// arguments, after all PEs have written their elements. The task waits. Throws the errors of
/// `sort`.
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
