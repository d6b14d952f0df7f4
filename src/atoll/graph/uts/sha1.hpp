#pragma once
// The random generator of UTS. The state of a vertex has 20 bytes. The state of child i is the
// SHA-1 digest of 24 bytes: the 20 bytes of the parent, and i as 4 bytes in big-endian order. With
// the padding of SHA-1, the 24 bytes fill one block.

#include "atoll/random_graph.hpp"

#include <array>
#include <bit>
#include <cpuid.h>
#include <cstddef>
#include <cstdint>
#include <immintrin.h>
#include <utility>

namespace atl::graph::uts {

namespace sha1 {

inline constexpr std::array<std::uint32_t, 5> k_initial{0x67452301u, 0xefcdab89u, 0x98badcfeu,
                                                        0x10325476u, 0xc3d2e1f0u};
inline constexpr std::uint32_t k_end_of_message = 0x80000000u;
inline constexpr std::uint32_t k_bits_of_child = 24 * 8;

/// Returns the sum of two values that FIPS 180-4 defines for round `t`: the function of three
/// words, and the constant.
constexpr std::uint32_t mixed(unsigned t, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999u;
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1u;
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
  return (b ^ c ^ d) + 0xca62c1d6u;
}

/// Returns the SHA-1 digest of a message that fills one block with its padding.
constexpr tree_vertex of_block(std::array<std::uint32_t, 16> w) {
  auto [a, b, c, d, e] = k_initial;
  for (unsigned t = 0; t < 80; ++t) {
    if (t >= 16) {
      const std::uint32_t next = w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16];
      w[t % 16] = std::rotl(next, 1);
    }
    const std::uint32_t sum = std::rotl(a, 5) + mixed(t, b, c, d) + e + w[t % 16];
    e = std::exchange(d, std::exchange(c, std::rotl(std::exchange(b, std::exchange(a, sum)), 30)));
  }
  return {
      {k_initial[0] + a, k_initial[1] + b, k_initial[2] + c, k_initial[3] + d, k_initial[4] + e}};
}

/// Computes the states of N children, which have the numbers from `first` on. The function runs on
/// any processor, because it uses no SHA instructions.
template <std::size_t N>
constexpr void portable_children(const tree_vertex& parent, std::uint32_t first,
                                 std::array<tree_vertex, N>& children) {
  for (std::uint32_t i = 0; i < N; ++i) {
    const auto& p = parent.words;
    children[i] = of_block({p[0], p[1], p[2], p[3], p[4], first + i, k_end_of_message, 0, 0, 0, 0,
                            0, 0, 0, 0, k_bits_of_child});
  }
}

#define ATOLL_SHA_INLINE [[gnu::target("sha,sse4.1"), gnu::always_inline]] inline

/// The states of N hash computations. The computations are interleaved, so that each one hides the
/// latency of the others. The first of four words is in the highest lane.
template <std::size_t N>
struct blocks {
  __m128i words[N][4];  // the last four groups of four words of the message schedule
  __m128i abcd[N];
  __m128i e[N];
  __m128i abcd_before[N];
};

/// Performs the rounds 4 * Group to 4 * Group + 3 of SHA-1, and updates the message schedule.
template <int Group, std::size_t N>
ATOLL_SHA_INLINE void four_rounds(blocks<N>& all) {
  for (std::size_t n = 0; n < N; ++n) {
    auto& w = all.words[n];
    const __m128i now = w[Group % 4];
    if constexpr (Group > 0) all.e[n] = _mm_sha1nexte_epu32(all.abcd_before[n], now);
    all.abcd_before[n] = all.abcd[n];
    all.abcd[n] = _mm_sha1rnds4_epu32(all.abcd[n], all.e[n], Group / 5);
    if constexpr (Group >= 1 && Group <= 16)
      w[(Group - 1) % 4] = _mm_sha1msg1_epu32(w[(Group - 1) % 4], now);
    if constexpr (Group >= 2 && Group <= 17)
      w[(Group - 2) % 4] = _mm_xor_si128(w[(Group - 2) % 4], now);
    if constexpr (Group >= 3 && Group <= 18)
      w[(Group - 3) % 4] = _mm_sha1msg2_epu32(w[(Group - 3) % 4], now);
  }
}

template <std::size_t N, int... Groups>
ATOLL_SHA_INLINE void all_rounds(blocks<N>& all, std::integer_sequence<int, Groups...>) {
  (four_rounds<Groups>(all), ...);
}

ATOLL_SHA_INLINE __m128i reversed(__m128i words) { return _mm_shuffle_epi32(words, 0x1b); }

ATOLL_SHA_INLINE __m128i four_words(const std::uint32_t* words) {
  return reversed(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words)));
}

ATOLL_SHA_INLINE __m128i highest(std::uint32_t word) {
  return _mm_set_epi32(static_cast<int>(word), 0, 0, 0);
}

/// Computes the states of N children, which have the numbers from `first` on, by SHA instructions.
/// The processor must have SHA instructions (`has_instructions`).
template <std::size_t N>
[[gnu::target("sha,sse4.1")]] inline void
instructed_children(const tree_vertex& parent, std::uint32_t first,
                    std::array<tree_vertex, N>& children) {
  const __m128i initial = four_words(k_initial.data());
  const __m128i initial_e = highest(k_initial[4]);
  const __m128i four = four_words(parent.words.data());
  const __m128i fifth = highest(parent.words[4]);
  blocks<N> all;
  for (std::size_t n = 0; n < N; ++n) {
    const int number = static_cast<int>(first + n);
    all.words[n][0] = four;
    all.words[n][1] =
        _mm_or_si128(fifth, _mm_set_epi32(0, number, static_cast<int>(k_end_of_message), 0));
    all.words[n][2] = _mm_setzero_si128();
    all.words[n][3] = _mm_set_epi32(0, 0, 0, k_bits_of_child);
    all.abcd[n] = initial;
    all.e[n] = _mm_add_epi32(initial_e, four);
  }
  all_rounds(all, std::make_integer_sequence<int, 20>());
  for (std::size_t n = 0; n < N; ++n) {
    const __m128i abcd = _mm_add_epi32(all.abcd[n], initial);
    const __m128i e = _mm_sha1nexte_epu32(all.abcd_before[n], initial_e);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(children[n].words.data()), reversed(abcd));
    children[n].words[4] = static_cast<std::uint32_t>(_mm_extract_epi32(e, 3));
  }
}

#undef ATOLL_SHA_INLINE

/// Whether the processor has SHA instructions. If the compiler may use SHA instructions everywhere,
/// the value is a constant, and nothing is checked at run time.
#if defined(__SHA__) && defined(__SSE4_1__)
inline constexpr bool has_instructions = true;
#else
inline const bool has_instructions = [] {
  constexpr unsigned k_sha = 1u << 29;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & k_sha) != 0 &&
         __builtin_cpu_supports("sse4.1");
}();
#endif

}  // namespace sha1

/// Returns the states of N children of a vertex, which have the numbers from `first` on.
template <std::size_t N>
std::array<tree_vertex, N> children_of(const tree_vertex& parent, std::uint32_t first) {
  std::array<tree_vertex, N> children;
  if (sha1::has_instructions) [[likely]] {
    sha1::instructed_children(parent, first, children);
  } else {
    sha1::portable_children(parent, first, children);
  }
  return children;
}

/// Returns the state of the root: the SHA-1 digest of 16 zero bytes and the seed.
constexpr tree_vertex root_of(std::uint32_t seed) {
  return sha1::of_block(
      {0, 0, 0, 0, seed, sha1::k_end_of_message, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20 * 8});
}

}  // namespace atl::graph::uts
