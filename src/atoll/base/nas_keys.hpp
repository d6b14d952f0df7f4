#pragma once
// This file defines the functions of random.hpp that compute the keys of the NAS benchmark IS
// (integer sort).

#include "atoll/random.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace atl {
namespace detail::nas {

inline constexpr std::uint64_t k_seed = 314159265;
inline constexpr std::uint64_t k_factor = 1220703125;  // the multiplier of the generator, 5^13
inline constexpr unsigned k_modulus_bits = 46;
inline constexpr std::uint64_t k_mask = (std::uint64_t{1} << k_modulus_bits) - 1;
inline constexpr unsigned k_numbers = 4;  // random numbers per key

inline constexpr nas_class k_classes[] = {
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

constexpr std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base = base * base & k_mask)
    if (exponent % 2 != 0) result = result * base & k_mask;
  return result;
}

/// Returns the number that the generator produces just before the four numbers of key `first`.
constexpr std::uint64_t state_before(std::uint64_t first) {
  return k_seed * power(k_factor, k_numbers * first) & k_mask;
}

}  // namespace detail::nas

constexpr std::span<const nas_class> nas_classes() { return detail::nas::k_classes; }

constexpr const nas_class* nas_class_of(char name) {
  for (const nas_class& one : nas_classes())
    if (one.name == name) return &one;
  return nullptr;
}

constexpr nas_keys::nas_keys(const nas_class& of, std::uint64_t first)
    : shift_(detail::nas::k_modulus_bits + 2 - of.bits), state_(detail::nas::state_before(first)) {}

constexpr std::uint64_t nas_keys::next() {
  using namespace detail::nas;
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < k_numbers; ++i) {
    state_ = state_ * k_factor & k_mask;
    sum += state_;
  }
  return sum >> shift_;
}

// Before iteration i, the benchmark changes two keys. The key at index i becomes i. The key at
// index i + `iterations` becomes range() - i.
constexpr std::array<nas_change, 2> nas_changes(const nas_class& of, std::uint64_t iteration) {
  return {{{iteration, iteration}, {iteration + nas_class::iterations, of.range() - iteration}}};
}

}  // namespace atl
