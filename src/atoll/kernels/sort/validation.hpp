#pragma once
// Verification that sorted keys are in order, and that they are the keys of the input. The code
// shares nothing with the sort. Order is checked key by key and across the borders of PEs. The
// caller makes or reads the input once more, key by key. Its number of keys and two sums of hashes
// are compared.

#include "atoll/kernels/sort/part.hpp"
#include "atoll/random.hpp"

#include <cmath>
#include <fmt/format.h>

namespace atl::kernels::sort {

/// A multiset of keys, except for collisions of 128 bits of hash.
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
  std::uint64_t misplaced = 0;  ///< keys that are smaller than the one before them
  key_account input;
  key_account output;

  bool right() const { return complaint().empty(); }

  /// Returns the first error in one line, or "" if everything is right.
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

/// Checks the keys in order on all PEs against the input, of which each PE has made a part as
/// `input`. Every PE calls it.
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

// The input of a sort, made once more by its definition, for comparison.

/// The generator of NAS by the definition in its report: in double precision, halves of 23 bits.
class nas_reals {
 public:
  double next() {
    x_ = product(x_, 1220703125.0);
    return x_ * 0x1p-46;
  }
  /// Skips `count` numbers.
  void skip(std::uint64_t count) {
    for (double factor = 1220703125.0; count != 0; count /= 2, factor = product(factor, factor))
      if (count % 2 != 0) x_ = product(x_, factor);
  }

 private:
  static double product(double a, double b) {
    const double a1 = std::trunc(a * 0x1p-23), a2 = a - a1 * 0x1p23;
    const double b1 = std::trunc(b * 0x1p-23), b2 = b - b1 * 0x1p23;
    const double middle = a1 * b2 + a2 * b1;
    const double low = middle - std::trunc(middle * 0x1p-23) * 0x1p23;
    const double sum = low * 0x1p23 + a2 * b2;
    return sum - std::trunc(sum * 0x1p-46) * 0x1p46;
  }

  double x_ = 314159265.0;
};

/// Calls `make(begin, end)` for stretches of this PE's share of `keys` keys.
template <class Make>
task<> make_own(std::uint64_t keys, Make make) {
  const auto all = static_cast<std::uint64_t>(pes()), rank = static_cast<std::uint64_t>(my_pe());
  const std::uint64_t begin = division::share_begin(keys, rank, all);
  const std::uint64_t end = division::share_begin(keys, rank + 1, all);
  for (std::uint64_t i = begin; i < end; i += k_stretch) {
    make(i, std::min(end, i + k_stretch));
    co_await yield();
  }
}

/// Returns the account of this PE's part of the keys of a class after the last iteration.
inline task<key_account> account_of_nas_keys(nas_class of) {
  key_account account;
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    const double quarter = static_cast<double>(of.range()) / 4;
    nas_reals random;
    random.skip(4 * begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      double sum = random.next();
      for (int more = 0; more < 3; ++more) sum += random.next();
      auto key = static_cast<std::uint64_t>(sum * quarter);
      if (i >= 1 && i <= 10) key = i;
      if (i >= 11 && i <= 20) key = of.range() - (i - 10);
      account.add(key);
    }
  };
  co_await make_own(of.keys(), add);
  co_return account;
}

/// Makes `keys` random keys of `bits` bits: key i has the highest bits of the i-th number of the
/// stream of `seed`. Calls `body(key)` for those with which this PE begins.
template <class Body>
task<> for_random_keys(std::uint64_t keys, unsigned bits, std::uint64_t seed, Body body) {
  const std::uint64_t name = random_key(seed);
  const auto make = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) body(random_at(name, i) >> (64 - bits));
  };
  co_await make_own(keys, make);
}

}  // namespace atl::kernels::sort
