#pragma once
// Reduction instances: contributions to the elements of a region, kept as partial results, as a
// list, or as what suits them.

#include "atoll/deferred.hpp"
#include "atoll/reduction.hpp"
#include "atoll/region/element_map.hpp"
#include "atoll/region/entry_lists.hpp"
#include "atoll/region/recent_elements.hpp"
#include "atoll/region/reducing.hpp"
#include "atoll/region/reduction_choice.hpp"
#include "atoll/region/transfer.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace atl {

// Reduction instances that hold a partial result for each element: for contributions to most of
// them. (The reduction fold instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

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

// Reduction instances that are lists of (element, partial result): for contributions to few of many
// elements. (The reduction list instances of Realm; Treichler, Bauer and Aiken, PACT 2014.)

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

// A reduction instance that finds out what it had better be: a list of contributions, which costs
// by their number; a list of what was folded of those to one element, where a few elements get most
// of them; or a partial result for each element, which costs by the number of elements.

/// Contributions to the elements of a one-dimensional part, of one task. Begins as a list, and
/// becomes what costs less; sooner if it was told how many contributions to expect.
template <reduction_operation Operation>
class automatic_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  /// As a `list_instance`. `expected` is about how many contributions come; 0: not known.
  automatic_instance(const Operation& operation, const target_part& target,
                     std::uint64_t expected = 0, event open = event::none,
                     site where = site::current())
      : operation_(operation),
        target_(target),
        list_(operation, target.described(), open, where),
        recent_(std::in_place, operation),
        open_(open),
        expected_(expected) {}

  /// As that of `list_instance`.
  void reduce(std::uint64_t i, const partial& value) {
    regions::check_element_in_debug(i, size());
    if (!elements_ && until_decision_ == 0) [[unlikely]]
      decide();
    if (elements_) return operation_.fold(elements_[i], value);
    if (recent_)
      recent_->reduce(operation_, i, value, into_list());
    else
      list_->add(i, value);
    --until_decision_;
  }

  /// It has partial results for all elements, and is no list.
  bool is_fold() const { return static_cast<bool>(elements_); }

  /// As that of `list_instance`.
  [[nodiscard]] event merge(site where = site::current()) {
    if (recent_) recent_->clear(into_list());
    auto merge_all = [list = std::move(list_), elements = std::move(elements_),
                      operation = operation_, target = target_.described(), where]() -> task<> {
      const auto send_all = [&]() -> task<> {
        if (elements) co_await elements.send(operation, target, where);
        co_await list->finish_all();
      };
      co_await regions::write_or_poison(target.field, send_all, where);
    };
    return spawn_when(open_, std::move(merge_all), where);
  }

 private:
  std::uint64_t size() const { return target_.described().points.volume(); }
  auto into_list() {
    return [this](std::uint64_t i, const partial& folded) { list_->add(i, folded); };
  }

  bool is_skewed() const {
    const bool has_network = !this_pe().transport->nodes().empty();
    return recent_->hits() >=
           (has_network ? regions::k_hits_over_network : regions::k_hits_within_node);
  }

  /// First after the sample, and once more where it is a list of an unknown number. May be called
  /// again where it throws.
  [[gnu::noinline]] void decide() {
    const bool is_first = recent_.has_value();
    const bool stays =
        is_first && is_skewed() && size() * sizeof(partial) > regions::k_bytes_of_cheap_fold;
    if (is_first && !stays) recent_->clear(into_list());
    until_decision_ = k_never;
    if (stays) return;
    recent_.reset();
    const std::uint64_t most = regions::most_in_list(size(), expected_);
    if (is_first && most > regions::k_sample)
      until_decision_ = most - regions::k_sample;
    else
      fold_from_here();
  }

  /// It stays a list where there is no memory for partial results.
  void fold_from_here() {
    try {
      elements_ = regions::folded_elements<Operation>(operation_, size());
    } catch (const error& refused) {
      if (refused.code() != errc::out_of_memory) throw;
    }
  }

  static constexpr auto k_never = std::uint64_t(-1);

  [[no_unique_address]] Operation operation_;
  target_part target_;
  regions::owned_lists<Operation> list_;
  std::optional<regions::recent_elements<Operation>> recent_;
  regions::folded_elements<Operation> elements_;
  event open_;
  std::uint64_t expected_;
  std::uint64_t until_decision_ = regions::k_sample;
};

}  // namespace atl
