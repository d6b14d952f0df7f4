#pragma once
// A reduction instance that finds out what it had better be: a list of contributions, which costs
// by their number, or a partial result for each element, which costs by the number of elements.

#include "atoll/region/fold_instance.hpp"
#include "atoll/region/list_instance.hpp"

namespace atl {
namespace regions {

// A list is as long to merge as so many elements of a fold instance for each of its entries.
inline constexpr std::uint64_t k_elements_an_entry = 4;

}  // namespace regions

/// Contributions to the elements of a one-dimensional part, on this PE. Begins as a list, and
/// becomes a fold instance when that is shorter than the list. Not to be copied.
template <reduction_operation Operation>
class automatic_instance {
 public:
  using partial = typename Operation::partial;
  using target_part = region_part<typename Operation::value, 1>;

  automatic_instance(const Operation& operation, const target_part& target)
      : operation_(operation),
        target_(target.described()),
        list_(operation, target_),
        room_in_list_(target_.points.volume() / regions::k_elements_an_entry) {}

  /// Notes that `value` is to be reduced into element `i` of the part. Does not communicate. Throws
  /// atl::error (out_of_memory).
  void reduce(std::uint64_t i, const partial& value) {
    if (elements_) return operation_.fold(elements_[i], value);
    list_.add(i, value);
    if (--room_in_list_ == 0) [[unlikely]]
      become_fold();
  }

  /// As that of `list_instance`.
  [[nodiscard]] event merge(event precondition = event::none, site where = site::current()) {
    auto merge_all = [list = std::move(list_), elements = std::move(elements_),
                      operation = operation_, target = target_, where]() mutable -> task<> {
      const auto send = [&] {
        return elements ? elements.send(operation, target, where) : list.send(where);
      };
      co_await regions::write_or_poison(target.field, send, where);
    };
    return spawn_when(precondition, std::move(merge_all), where);
  }

 private:
  [[gnu::noinline]] void become_fold() {
    elements_ = regions::folded_elements<Operation>(operation_, target_.points.volume());
    list_.for_each(
        [this](std::uint64_t i, const partial& value) { operation_.fold(elements_[i], value); });
    list_ = regions::entry_lists<Operation>(operation_, target_);
  }

  [[no_unique_address]] Operation operation_;
  regions::field_part<1> target_;
  regions::entry_lists<Operation> list_;
  regions::folded_elements<Operation> elements_;
  std::uint64_t room_in_list_;
};

}  // namespace atl
