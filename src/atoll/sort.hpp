#pragma once
// Sorting a global array. Each PE sorts its own elements. The PEs then exchange a few elements to
// find where to cut, so that every PE gets exactly its share. Each element is sent once; each PE
// merges what it receives and stores it in its place. The work of all PEs is therefore the same for
// any elements, even if all are equal.

#include "atoll/array.hpp"
#include "atoll/collectives.hpp"
#include "atoll/memory/sort_steps.hpp"

#include <functional>
#include <type_traits>

namespace atl {

/// Options of `sort`.
struct sort_options {
  bool stable = false;  ///< equal elements keep their order
};

/// Sorts the elements by `compare(a, b)`, which returns whether a comes before b: a strict weak
/// order, trivially copyable. By default numbers ascend; with std::greater<> they descend. NaN
/// comes last. One task calls it and is suspended until all elements are in their places. Nothing
/// else may use the array meanwhile.
///
/// Each PE needs memory for about five times its elements. A stable sort of an array in blocks
/// dealt round-robin also needs 8 bytes per element in each of these copies. Throws atl::error
/// (input) if the array was destroyed. An exception of `compare` ends the job.
template <class T, class Compare = std::less<>>
task<> sort(global_array<T> array, Compare compare = {}, sort_options options = {},
            site where = site::current()) {
  static constexpr memory::call_of_one k_sort{"sort", "all_sort"};
  static_cast<void>(array.local(where));
  const memory::named_call call(k_sort, where);
  const memory::sorting<T, Compare> on_each{array, {compare}, options.stable};
  co_await together(on_each, where);
}

/// Sorts the elements, as `sort` does. Every PE calls it with the same arguments, after all have
/// written their elements, and waits. Throws as `sort`.
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
