#pragma once
// The input of a sort made once more, by definition, to check against.

#include "atoll/kernels/sort/validation.hpp"
#include "atoll/random.hpp"

#include <cmath>

namespace atl::kernels::sort {

/// The generator of NAS as its report defines it: in double precision, halves of 23 bits.
class nas_reals {
 public:
  double next() {
    x_ = product(x_, 1220703125.0);
    return x_ * 0x1p-46;
  }
  /// As if so many had been taken.
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

/// Of so many, those that this PE makes; calls `make(begin, end)` for a stretch at a time.
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

/// The keys of a class after the last iteration, of which this PE makes a part.
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

/// So many random keys of so many bits: key i has the highest ones of the i-th number of the stream
/// of the seed. Calls `body(key)` for those that this PE begins with.
template <class Body>
task<> for_random_keys(std::uint64_t keys, unsigned bits, std::uint64_t seed, Body body) {
  const std::uint64_t name = random_key(seed);
  const auto make = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) body(random_at(name, i) >> (64 - bits));
  };
  co_await make_own(keys, make);
}

}  // namespace atl::kernels::sort
