#pragma once
// Random numbers from a counter: the n-th number of a stream is a pure function of (seed, n). Every
// PE computes its part of a sequence alone, and the sequence is the same for any number of PEs.

#include "atoll/base/bits.hpp"

#include <cstdint>
#include <limits>

namespace atl {

/// Mixes all bits of `x` (the finalizer of splitmix64). A bijection; hash(0) == 0.
constexpr std::uint64_t hash(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Returns a key for `random_at` that depends on all bits of both numbers.
constexpr std::uint64_t random_key(std::uint64_t seed, std::uint64_t stream = 0) {
  return hash(hash(seed + 0x9e3779b97f4a7c15u) ^ (stream + 0xd1b54a32d192ed03u));
}

/// Returns the number at `index` of the sequence with this key: splitmix64 with random access.
constexpr std::uint64_t random_at(std::uint64_t key, std::uint64_t index) {
  return hash(key + (index + 1) * 0x9e3779b97f4a7c15u);
}

/// Maps 64 random bits to [0, bound): the bias is below bound / 2^64. `bound` > 0.
constexpr std::uint64_t uniform_below(std::uint64_t random, std::uint64_t bound) {
  return multiply_high(random, bound);
}

/// Maps 64 random bits to [0, 1), with 53 bits of precision.
constexpr double uniform_real(std::uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1p-53;
}

/// The sequence of `random_at` as a generator for the standard distributions. Different streams of
/// one seed are independent.
class random_stream {
 public:
  using result_type = std::uint64_t;

  constexpr explicit random_stream(std::uint64_t seed, std::uint64_t stream = 0)
      : key_(random_key(seed, stream)) {}

  constexpr result_type operator()() { return random_at(key_, index_++); }
  /// Returns the next number, uniform in [0, bound).
  constexpr std::uint64_t below(std::uint64_t bound) { return uniform_below((*this)(), bound); }
  /// Returns the next number, uniform in [0, 1).
  constexpr double real() { return uniform_real((*this)()); }

  /// Continues at position `index` of the sequence.
  constexpr void seek(std::uint64_t index) { index_ = index; }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

 private:
  std::uint64_t key_;
  std::uint64_t index_ = 0;
};

}  // namespace atl
