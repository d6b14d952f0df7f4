#pragma once
// The keys of NAS IS, by class, and what the benchmark has published of their ranks.
//
// Key i is the mean of four successive numbers of the linear congruential generator
// x(k+1) = 5^13 x(k) mod 2^46, x(0) = 314159265, scaled to the range of keys.

#include <array>
#include <cstdint>
#include <optional>

namespace atl::kernels::sort {

inline constexpr std::uint64_t k_nas_seed = 314159265;
inline constexpr std::uint64_t k_nas_factor = 1220703125;  // 5^13
inline constexpr unsigned k_nas_modulus_bits = 46;
inline constexpr unsigned k_nas_numbers = 4;  // that a key is the mean of
inline constexpr std::uint64_t k_nas_iterations = 10;
inline constexpr std::size_t k_nas_tests = 5;

/// How the rank of a tested key changes with the iterations, which replace two keys each.
struct nas_test {
  std::uint64_t index;  ///< of the key
  std::int64_t rank;
  int change;        ///< of the rank: 1 or -1 times the iteration ...
  int ahead_of = 0;  ///< ... less this

  std::int64_t rank_in(std::uint64_t iteration) const {
    return rank + change * (static_cast<std::int64_t>(iteration) - ahead_of);
  }
};

struct nas_class {
  char name;
  unsigned log2_keys;
  unsigned bits;  ///< keys are below 2^bits
  std::array<nas_test, k_nas_tests> tests;

  std::uint64_t keys() const { return std::uint64_t{1} << log2_keys; }
  std::uint64_t range() const { return std::uint64_t{1} << bits; }
};

inline constexpr nas_class k_nas_classes[] = {
    {'S',
     16,
     11,
     {{{48427, 0, 1}, {17148, 18, 1}, {23627, 346, 1}, {62548, 64917, -1}, {4431, 65463, -1}}}},
    {'W',
     20,
     16,
     {{{357773, 1249, 1, 2},
       {934767, 11698, 1, 2},
       {875723, 1039987, -1},
       {898999, 1043896, -1},
       {404505, 1048018, -1}}}},
    {'A',
     23,
     19,
     {{{2112377, 104, 1, 1},
       {662041, 17523, 1, 1},
       {5336171, 123928, 1, 1},
       {3642833, 8288932, -1, 1},
       {4250760, 8388264, -1, 1}}}},
    {'B',
     25,
     21,
     {{{41869, 33422937, -1},
       {812306, 10244, 1},
       {5102857, 59149, 1},
       {18232239, 33135281, -1},
       {26860214, 99, 1}}}},
    {'C',
     27,
     23,
     {{{44172927, 61147, 1},
       {72999161, 882988, 1},
       {74326391, 266290, 1},
       {129606274, 133997595, -1},
       {21736814, 133525895, -1}}}}};

/// The class of that letter.
inline const nas_class* nas_class_of(char name) {
  for (const nas_class& one : k_nas_classes)
    if (one.name == name) return &one;
  return nullptr;
}

/// The keys from one on, in their order.
class nas_keys {
 public:
  nas_keys(const nas_class& of, std::uint64_t first)
      : shift_(k_nas_modulus_bits + 2 - of.bits),
        state_(k_nas_seed * power(k_nas_factor, k_nas_numbers * first) & k_mask) {}

  std::uint64_t next() {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < k_nas_numbers; ++i) {
      state_ = state_ * k_nas_factor & k_mask;
      sum += state_;
    }
    return sum >> shift_;
  }

 private:
  static constexpr std::uint64_t k_mask = (std::uint64_t{1} << k_nas_modulus_bits) - 1;

  static constexpr std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1, base = base * base & k_mask)
      if (exponent % 2 != 0) result = result * base & k_mask;
    return result;
  }

  unsigned shift_;
  std::uint64_t state_;
};

/// Of an iteration, from 1 on: key `iteration` becomes that number, and the key so many beyond
/// becomes the largest less it.
struct nas_change {
  std::uint64_t index;
  std::uint64_t key;
};

inline std::array<nas_change, 2> nas_changes(const nas_class& of, std::uint64_t iteration) {
  return {{{iteration, iteration}, {iteration + k_nas_iterations, of.range() - iteration}}};
}

}  // namespace atl::kernels::sort
