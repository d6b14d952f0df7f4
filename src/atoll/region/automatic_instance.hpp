#pragma once
// A reduction instance that finds out what it had better be: a list of contributions, which costs
// by their number; a list of what was folded of those to one element, where a few elements get most
// of them; or a partial result for each element, which costs by the number of elements.

#include "atoll/region/fold_instance.hpp"
#include "atoll/region/list_instance.hpp"
#include "atoll/region/recent_elements.hpp"

#include <optional>

namespace atl {
namespace regions {

// What decides, as measured (docs/log/performance.md). A contribution in a list costs as much more
// as making and merging so many partial results, ...
inline constexpr std::uint64_t k_elements_an_entry = 2;
// ... but a list of unknown length becomes partial results a little sooner: it has often just
// begun.
inline constexpr std::uint64_t k_elements_an_unexpected_entry = 4;
// ... and beyond so many bytes of these, finding one costs as much as a list.
inline constexpr std::uint64_t k_bytes_of_cheap_fold = std::uint64_t{4} << 20;
// After so many contributions it is known how many of them met their element among the recent ones.
// Folding those there pays from a quarter on where a list goes over a network; within a node a
// branch that nobody foresees costs more than a list does, so that nearly all must be such.
inline constexpr std::uint64_t k_sample = 2048;
inline constexpr std::uint64_t k_hits_over_network = k_sample / 4;
inline constexpr std::uint64_t k_hits_within_node = k_sample - k_sample / 16;

/// How many contributions to `elements` a list takes before partial results are better, if
/// `expected` come in all; 0: nobody knows how many.
constexpr std::uint64_t most_in_list(std::uint64_t elements, std::uint64_t expected) {
  if (expected == 0) return std::max(k_sample, elements / k_elements_an_unexpected_entry);
  return expected > elements / k_elements_an_entry ? k_sample : std::uint64_t(-1);
}

}  // namespace regions

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
