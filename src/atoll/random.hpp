#pragma once
// Random numbers from a counter: the n-th number of a stream depends only on the seed, the stream
// and n. Every PE computes its part of a sequence alone, and the sequence is the same for any
// number of PEs. The header also has two sequences of published benchmarks: the numbers of HPCC
// RandomAccess and the keys of NAS IS.

#include "atoll/base/bits.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace atl {

/// Mixes all bits of `x` with the finalizer of splitmix64. Different arguments have different
/// results, and hash(0) is 0.
constexpr std::uint64_t hash(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Returns a key for `random_at` that depends on all bits of `seed` and `stream`.
constexpr std::uint64_t random_key(std::uint64_t seed, std::uint64_t stream = 0) {
  return hash(hash(seed + 0x9e3779b97f4a7c15u) ^ (stream + 0xd1b54a32d192ed03u));
}

/// Returns the number at position `index` of the random sequence that `key` selects. The sequence
/// is that of splitmix64, but any position costs the same.
constexpr std::uint64_t random_at(std::uint64_t key, std::uint64_t index) {
  return hash(key + (index + 1) * 0x9e3779b97f4a7c15u);
}

/// Maps 64 random bits to a number in [0, `bound`). The relative error of each number's probability
/// is below `bound` / 2^64. `bound` must be above 0.
constexpr std::uint64_t uniform_below(std::uint64_t random, std::uint64_t bound) {
  return multiply_high(random, bound);
}

/// Maps 64 random bits to a number in [0, 1), with 53 bits of precision.
constexpr double uniform_real(std::uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1p-53;
}

/// A generator of random numbers for the distributions of the standard library. The sequence of
/// numbers is that of `random_at`. Different streams of one seed are independent.
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

/// A pseudo-random bijection of [0, 2^bits), which a key selects. Programs use a scramble to
/// renumber objects, so that the numbers reveal nothing about the objects. Each step of a round is
/// invertible: an addition, a product with an odd number, an exclusive or with the upper half. Any
/// thread may use the object.
class scramble {
 public:
  /// Makes the bijection that `key` selects. `bits` must be at most 63.
  constexpr scramble(std::uint64_t key, unsigned bits)
      : mask_((std::uint64_t{1} << bits) - 1), shift_((bits + 1) / 2) {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      addends_[i] = random_at(key, 2 * i);
      factors_[i] = random_at(key, 2 * i + 1) | 1;
    }
  }

  /// Returns the image of `x`, which is below 2^bits.
  constexpr std::uint64_t operator()(std::uint64_t x) const {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      x = ((x + addends_[i]) * factors_[i]) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

 private:
  static constexpr std::uint64_t rounds = 3;

  std::uint64_t mask_;
  unsigned shift_;
  std::array<std::uint64_t, rounds> addends_{};
  std::array<std::uint64_t, rounds> factors_{};
};

/// The random numbers of the benchmark HPCC RandomAccess (GUPS). The bits of a number are the
/// coefficients of a polynomial over the field of two elements. Element n is the polynomial x^n
/// modulo x^64 + x^2 + x + 1. Any thread may own a stream.
class hpcc_stream {
 public:
  static constexpr std::uint64_t polynomial = 7;
  static constexpr std::int64_t period = 1317624576693539401;

  /// Places the stream at element `start_index`. By HPCC's convention, the first call of `next`
  /// returns element `start_index` + 1, so a stream placed at 0 begins with 2. Negative indices are
  /// valid too, because indices count modulo the period. Takes about 1 us.
  constexpr explicit hpcc_stream(std::int64_t start_index);

  /// Returns the next element.
  constexpr std::uint64_t next();

 private:
  std::uint64_t value_;
};

/// A key of the benchmark NAS IS (integer sort) whose rank is published for each iteration. The
/// rank of a key is its position in sorted order. Ranks change from iteration to iteration, because
/// each iteration replaces two keys.
struct nas_test {
  std::uint64_t index;  ///< index of the key
  std::int64_t rank;
  int change;        ///< change of the rank per iteration, 1 or -1
  int ahead_of = 0;  ///< iteration in which the rank is `rank`

  /// Returns the published rank in `iteration`, which counts from 1.
  constexpr std::int64_t rank_in(std::uint64_t iteration) const {
    return rank + change * (static_cast<std::int64_t>(iteration) - ahead_of);
  }
};

/// A class of the integer sort benchmark NAS IS: the number and range of its keys, and the
/// published ranks of some keys.
struct nas_class {
  static constexpr std::uint64_t iterations = 10;
  static constexpr std::size_t tested_keys = 5;

  char name;
  unsigned log2_keys;
  unsigned bits;  ///< keys are less than 2^bits
  std::array<nas_test, tested_keys> tests;

  constexpr std::uint64_t keys() const { return std::uint64_t{1} << log2_keys; }
  constexpr std::uint64_t range() const { return std::uint64_t{1} << bits; }
};

/// Returns the classes S, W, A, B and C, in this order.
constexpr std::span<const nas_class> nas_classes();

/// Returns the class with the letter `name`, or null if there is none.
constexpr const nas_class* nas_class_of(char name);

/// The sequence of keys of a class, beginning with any key. Key i is the mean of four successive
/// numbers of a linear congruential generator, scaled to the range of keys. The generator is x(k+1)
/// = 5^13 x(k) mod 2^46, x(0) = 314159265. Any thread may own a sequence.
class nas_keys {
 public:
  constexpr nas_keys(const nas_class& of, std::uint64_t first);

  /// Returns the next key.
  constexpr std::uint64_t next();

 private:
  unsigned shift_;
  std::uint64_t state_;
};

/// A change that an iteration of NAS IS makes before it ranks the keys: the key at `index` becomes
/// `key`.
struct nas_change {
  std::uint64_t index;
  std::uint64_t key;
};

/// Returns the two changes of `iteration`, which counts from 1.
constexpr std::array<nas_change, 2> nas_changes(const nas_class& of, std::uint64_t iteration);

}  // namespace atl

#include "atoll/base/hpcc_stream.hpp"
#include "atoll/base/nas_keys.hpp"
