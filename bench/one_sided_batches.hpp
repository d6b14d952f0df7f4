#pragma once
// Measures batches of operations.

#include "atoll/atoll.hpp"

#include <algorithm>
#include <vector>

namespace atl::bench::one_sided {

inline double nanoseconds_since(nanoseconds begin) { return static_cast<double>(now() - begin); }

inline double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size()));
  return values[std::min(place, values.size() - 1)];
}

/// Awaits `batch(rounds)` repeatedly for `seconds`. Returns the nanoseconds per round, as the
/// median of all batches. The warm-up doubles `rounds` until a batch takes 0.2 ms.
template <class Batch>
task<double> median_of_rounds(double seconds, Batch batch) {
  constexpr double k_least = 2e5;
  std::uint64_t rounds = 1;
  for (double spent = 0; spent < k_least; rounds *= 2) {
    const auto begun = now();
    co_await batch(rounds);
    spent = nanoseconds_since(begun);
  }
  std::vector<double> found;
  for (double all = 0; all < seconds * 1e9;) {
    co_await yield();
    const auto begun = now();
    co_await batch(rounds);
    const double spent = nanoseconds_since(begun);
    all += spent;
    found.push_back(spent / static_cast<double>(rounds));
  }
  co_return quantile(std::move(found), 0.5);
}

}  // namespace atl::bench::one_sided
