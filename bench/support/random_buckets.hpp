#pragma once
// The random buckets of the tasks of a histogram. The benchmark of Atoll, the plain program for
// comparison and the check use the same buckets.

#include "atoll/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace atl::bench {

/// Picks numbers k from 1 to `most` with a probability proportional to 1/k. (Rejection-inversion;
/// Hoermann and Derflinger, ACM TOMACS 1996, for the exponent 1.)
class zipf_picker {
 public:
  explicit zipf_picker(std::uint64_t most)
      : most_(static_cast<double>(most)),
        highest_(std::log(most_ + 0.5)),
        lowest_(std::log(1.5) - 1),
        accepted_(2 - std::exp(std::log(2.5) - 0.5)) {}

  std::uint64_t operator()(random_stream& random) const {
    for (;;) {
      const double u = highest_ + random.real() * (lowest_ - highest_);
      const double x = std::exp(u);
      const double k = std::clamp(std::floor(x + 0.5), 1.0, most_);
      if (k - x <= accepted_ || u >= std::log(k + 0.5) - 1 / k)
        return static_cast<std::uint64_t>(k);
    }
  }

 private:
  double most_, highest_, lowest_, accepted_;
};

/// Calls `visit(bucket)` for each bucket that task `task` picks. The distribution is uniform, or
/// Zipf's law with the buckets in a permuted order.
template <class Visit>
void for_each_pick(bool is_zipf, std::uint64_t buckets, std::uint64_t picks, std::uint64_t seed,
                   std::uint64_t task, const Visit& visit) {
  constexpr std::uint64_t k_prime = 2654435761;
  random_stream random(seed, task);
  const zipf_picker zipf(buckets);
  for (std::uint64_t i = 0; i < picks; ++i)
    visit(is_zipf ? zipf(random) * k_prime % buckets : random.below(buckets));
}

}  // namespace atl::bench
