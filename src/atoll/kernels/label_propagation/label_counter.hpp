#pragma once
// Finds the most frequent label of a list.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace atl::kernels::label_propagation {

/// Counts labels. Only one task at a time may use an object, because calls share its memory.
template <class Id>
class label_counter {
 public:
  /// Returns the most frequent label among `labels[place]` for all `places`. If several labels are
  /// equally frequent, returns the smallest of these labels. `places` must not be empty. If more
  /// than half of the labels equal `guess`, the call returns `guess` without sorting or counting.
  Id most_frequent(std::span<const Id> places, const Id* labels, Id guess) {
    if (places.size() == 1) return labels[places[0]];
    if (places.size() == 2) return std::min(labels[places[0]], labels[places[1]]);
    if (found_.size() < places.size()) found_.resize(2 * places.size());
    std::size_t guessed = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      found_[i] = labels[places[i]];
      guessed += found_[i] == guess ? 1 : 0;
    }
    if (2 * guessed > places.size()) return guess;
    const std::span<Id> found(found_.data(), places.size());
    return found.size() <= k_few ? of_few(found) : of_many(found);
  }

 private:
  /// Largest number of labels that are counted by sorting. The labels of a longer list are counted
  /// in a hash table.
  static constexpr std::size_t k_few = 16;

  struct counted {
    Id label;
    Id times;  ///< number of occurrences; 0 in a free slot
  };

  /// Returns the most frequent label of a short list, by sorting the list.
  static Id of_few(std::span<Id> found) {
    std::ranges::sort(found);
    Id best = found[0];
    std::size_t most = 0;
    for (std::size_t begin = 0, end = 0; begin < found.size(); begin = end) {
      while (end < found.size() && found[end] == found[begin]) ++end;
      if (end - begin <= most) continue;
      most = end - begin;
      best = found[begin];
    }
    return best;
  }

  /// Returns the most frequent label of a long list, by counting in a hash table.
  Id of_many(std::span<const Id> found) {
    const std::size_t size = std::bit_ceil(2 * found.size());
    const auto shift = static_cast<unsigned>(64 - std::countr_zero(size));
    if (slots_.size() < size) slots_.resize(size);
    std::fill_n(slots_.begin(), size, counted{0, 0});
    counted best{std::numeric_limits<Id>::max(), 0};
    for (const Id label : found) {
      std::size_t at = (label * k_spread) >> shift;
      while (slots_[at].times != 0 && slots_[at].label != label) at = (at + 1) & (size - 1);
      const counted now{label, static_cast<Id>(slots_[at].times + 1)};
      slots_[at] = now;
      if (now.times > best.times || (now.times == best.times && label < best.label)) best = now;
    }
    return best.label;
  }

  static constexpr std::uint64_t k_spread = 0x9e3779b97f4a7c15u;

  std::vector<Id> found_;
  std::vector<counted> slots_;
};

}  // namespace atl::kernels::label_propagation
