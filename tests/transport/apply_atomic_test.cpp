// Tests the atomic operations of one-sided access. Each operation must change one word and leave
// the neighbouring words unchanged.

#include "atoll/transport/one_sided.hpp"

#include <array>
#include <cstring>
#include <gtest/gtest.h>

namespace atl::transport {
namespace {

struct effect {
  atomic_kind kind;
  std::uint64_t expected;  ///< The value that compare_exchange expects.
  std::uint64_t after;     ///< The value after the operation on 0b1100 with the operand 0b1010.
};

constexpr std::uint64_t k_before = 0b1100;
constexpr std::uint64_t k_operand = 0b1010;
constexpr std::array<effect, 9> k_effects{{
    {atomic_kind::load, 0, k_before},
    {atomic_kind::store, 0, k_operand},
    {atomic_kind::exchange, 0, k_operand},
    {atomic_kind::add, 0, k_before + k_operand},
    {atomic_kind::bit_and, 0, 0b1000},
    {atomic_kind::bit_or, 0, 0b1110},
    {atomic_kind::bit_xor, 0, 0b0110},
    {atomic_kind::compare_exchange, k_before, k_operand},
    {atomic_kind::compare_exchange, k_before + 1, k_before},
}};

template <class Word>
void expect_effects() {
  for (const effect& each : k_effects) {
    alignas(8) std::array<Word, 3> words = {~Word{0}, k_before, ~Word{0}};
    const atomic_operation what{each.kind, sizeof(Word), k_operand, each.expected};
    const std::uint64_t before = apply_atomic(what, reinterpret_cast<std::byte*>(&words[1]));
    const int kind = static_cast<int>(each.kind);
    EXPECT_EQ(before, k_before) << kind;
    EXPECT_EQ(words[1], each.after) << kind;
    EXPECT_EQ(words[0], static_cast<Word>(~Word{0})) << kind;
    EXPECT_EQ(words[2], static_cast<Word>(~Word{0})) << kind;
  }
}

TEST(apply_atomic, has_the_effect_of_its_kind_on_words_of_both_sizes) {
  expect_effects<std::uint32_t>();
  expect_effects<std::uint64_t>();
}

}  // namespace
}  // namespace atl::transport
