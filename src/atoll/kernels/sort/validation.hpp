#pragma once
// Verifies that sorted keys are in order, and that they are the keys of the input. The code is
// independent of the code of the sort. The check compares each key with the key before it, also
// across the borders of PEs. The caller makes or reads the input once more. For the sorted keys and
// for the input, the check compares the number of keys and two sums of hashes of the keys.

#include "atoll/kernels/sort/part.hpp"
#include "atoll/random.hpp"

#include <fmt/format.h>

namespace atl::kernels::sort {

/// A fingerprint of a multiset of keys: their number and two sums of 64-bit hashes. Different
/// multisets have equal fingerprints only if both sums are equal by chance, which is very unlikely.
struct key_account {
  std::uint64_t keys = 0;
  std::uint64_t sums[2] = {};

  void add(std::uint64_t key) {
    ++keys;
    sums[0] += hash(key + 0x9e3779b97f4a7c15u);
    sums[1] += hash(~key ^ 0xd1b54a32d192ed03u);
  }
  friend bool operator==(const key_account&, const key_account&) = default;
  friend key_account operator+(key_account a, const key_account& b) {
    a.keys += b.keys;
    a.sums[0] += b.sums[0];
    a.sums[1] += b.sums[1];
    return a;
  }
};

struct sort_check {
  std::uint64_t misplaced = 0;  ///< number of keys that are smaller than the key before them
  key_account input;
  key_account output;

  bool right() const { return complaint().empty(); }

  /// Returns a description of the errors in one line, or "" if everything is right.
  std::string complaint() const {
    std::string text;
    if (misplaced != 0) text = fmt::format("{} keys are smaller than the one before", misplaced);
    if (input == output) return text;
    if (!text.empty()) text += "; ";
    if (input.keys != output.keys)
      return text + fmt::format("{} keys instead of {}", output.keys, input.keys);
    return text + "other keys than those of the input";
  }
};

/// The first and last key of a PE.
struct key_ends {
  bool any = false;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Checks the sorted keys of all PEs. `input` is the fingerprint of this PE's part of the input.
/// Every PE calls this function.
template <class Key>
task<sort_check> all_check(std::span<const Key> sorted, key_account input) {
  sort_check mine{0, input, {}};
  key_ends ends;
  co_await in_stretches(sorted, [&](std::span<const Key> some) {
    for (const Key each : some) {
      mine.output.add(each);
      if (!ends.any) ends = {true, each, each};
      mine.misplaced += each < ends.last ? 1 : 0;
      ends.last = each;
    }
  });
  key_ends before;
  const auto of_all = co_await all_gather(ends);
  for (int pe = 0; pe < my_pe(); ++pe)
    if (of_all[static_cast<std::size_t>(pe)].any) before = of_all[static_cast<std::size_t>(pe)];
  if (before.any && ends.any && ends.first < before.last) ++mine.misplaced;
  const auto of_both = [](const sort_check& a, const sort_check& b) {
    return sort_check{a.misplaced + b.misplaced, a.input + b.input, a.output + b.output};
  };
  co_return co_await all_reduce(mine, of_both);
}

}  // namespace atl::kernels::sort
