#pragma once
// Reduction instances that are lists of (element, partial result): for contributions to few of many
// elements. (The reduction list instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

#include "atoll/event/deferred.hpp"
#include "atoll/region/entry_lists.hpp"

#include <utility>

namespace atl {

/// A list of contributions to the elements of a one-dimensional part, of one task.
template <reduction_operation Operation>
class list_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// They may be reduced into the part when `open` has triggered. What the list sends before it is
  /// merged is as with `async_update`: a long loop waits for `room()`. Throws atl::error:
  /// out_of_memory; input where one PE has more elements of the region than 2^32.
  list_instance(const Operation& operation, const target_part& target, event open = event::none,
                site where = site::current())
      : lists_(operation, target.described(), open, where), open_(open) {}

  /// Notes that `value` is to be reduced into element `i` of the part. Does not wait. Throws
  /// atl::error: out_of_memory; overflow; in debug builds input, where there is no such element.
  /// What throws has noted nothing, and may be called again.
  void reduce(std::uint64_t i, const partial& value) { lists_->add(i, value); }

  /// It has partial results for all elements, and is no list.
  static constexpr bool is_fold() { return false; }

  /// The event triggers when all of it has been reduced into the part; the owners of the elements
  /// do that, so that several instances may be merged at once. Where that fails, the part is
  /// poisoned. Once; the list is not used any more. Does not wait. Throws atl::error
  /// (out_of_memory): then what has not left is lost.
  [[nodiscard]] event merge(site where = site::current()) {
    auto merge_all = [all = std::move(lists_), where]() -> task<> {
      const auto field = all->places().field();
      const auto finish_all = [&] { return all->finish_all(); };
      co_await regions::write_or_poison(field, finish_all, where);
    };
    return spawn_when(open_, std::move(merge_all), where);
  }

 private:
  regions::owned_lists<Operation> lists_;
  event open_;
};

}  // namespace atl
