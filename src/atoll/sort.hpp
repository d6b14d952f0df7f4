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
/// travels. One task calls it, and waits until all are in their places; nothing else uses the array
/// meanwhile. What `compare` throws ends the job. Each PE needs memory for about five times its
/// elements; for a stable sort of an array in blocks dealt round, besides for 8 bytes an element
/// each time.
template <class T, class Compare = std::less<>>
task<> sort(global_array<T> array, Compare compare = {}, sort_options options = {},
            site where = site::current()) {
  static_assert(std::is_default_constructible_v<T>, "elements are received into a vector");
  static_assert(message::travels<Compare>, "what travels must be trivially copyable");
  const bool one_block_a_pe = array.size() <= array.block_size() * static_cast<unsigned>(pes());
  const auto on_each = [array, compare, stable = options.stable, one_block_a_pe]() -> task<> {
    const memory::element_order<T, Compare> less{compare};
    // The order of PEs and positions is that of indices where a PE has one block.
    if (stable && !one_block_a_pe)
      co_await memory::all_sort_array<memory::placed_element<T>>(array, less, false);
    else
      co_await memory::all_sort_array<T>(array, less, stable);
  };
  co_await together(on_each, where);
}

}  // namespace atl
