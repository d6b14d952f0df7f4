// Tests the codes of a BVGraph with handmade code words, and by encoding and decoding.

#include "atoll/graph/io/bvgraph/codes.hpp"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace atl::graph::bvgraph;

std::string digits_of(const code_word& word) {
  std::string digits(word.zeros, '0');
  for (unsigned i = word.tail_bits; i-- > 0;) digits += (word.tail >> i & 1) != 0 ? '1' : '0';
  return digits;
}

std::string word(code_kind kind, std::uint64_t value, std::uint64_t parameter = 0) {
  return digits_of(word_of({kind, parameter}, value));
}

TEST(bvgraph_codes, unary_is_zeros_and_a_one) {
  EXPECT_EQ(word(code_kind::unary, 0), "1");
  EXPECT_EQ(word(code_kind::unary, 1), "01");
  EXPECT_EQ(word(code_kind::unary, 5), "000001");
}

TEST(bvgraph_codes, gamma_tells_the_length_in_unary) {
  EXPECT_EQ(word(code_kind::gamma, 0), "1");
  EXPECT_EQ(word(code_kind::gamma, 1), "010");
  EXPECT_EQ(word(code_kind::gamma, 2), "011");
  EXPECT_EQ(word(code_kind::gamma, 3), "00100");
  EXPECT_EQ(word(code_kind::gamma, 7), "0001000");
}

TEST(bvgraph_codes, delta_tells_the_length_in_gamma) {
  EXPECT_EQ(word(code_kind::delta, 0), "1");
  EXPECT_EQ(word(code_kind::delta, 1), "0100");
  EXPECT_EQ(word(code_kind::delta, 2), "0101");
  EXPECT_EQ(word(code_kind::delta, 6), "01111");
  EXPECT_EQ(word(code_kind::delta, 7), "00100000");
}

TEST(bvgraph_codes, zeta_has_classes_of_k_lengths) {
  EXPECT_EQ(word(code_kind::zeta, 0, 3), "100");
  EXPECT_EQ(word(code_kind::zeta, 1, 3), "1010");
  EXPECT_EQ(word(code_kind::zeta, 6, 3), "1111");
  EXPECT_EQ(word(code_kind::zeta, 7, 3), "0100000");
  EXPECT_EQ(word(code_kind::zeta, 14, 3), "0100111");
  EXPECT_EQ(word(code_kind::zeta, 15, 3), "01010000");
  EXPECT_EQ(word(code_kind::zeta, 62, 3), "01111111");
  EXPECT_EQ(word(code_kind::zeta, 63, 3), "00100000000");
  for (std::uint64_t value = 0; value < 100; ++value)
    EXPECT_EQ(word(code_kind::zeta, value, 1), word(code_kind::gamma, value));
}

TEST(bvgraph_codes, nibbles_say_which_is_the_last) {
  EXPECT_EQ(word(code_kind::nibble, 0), "1000");
  EXPECT_EQ(word(code_kind::nibble, 7), "1111");
  EXPECT_EQ(word(code_kind::nibble, 8), "00011000");
  EXPECT_EQ(word(code_kind::nibble, 64), "000100001000");
}

TEST(bvgraph_codes, golomb_is_a_quotient_and_a_rest) {
  EXPECT_EQ(word(code_kind::golomb, 4, 1), "00001");
  EXPECT_EQ(word(code_kind::golomb, 0, 3), "10");
  EXPECT_EQ(word(code_kind::golomb, 1, 3), "110");
  EXPECT_EQ(word(code_kind::golomb, 2, 3), "111");
  EXPECT_EQ(word(code_kind::golomb, 7, 3), "00110");
  EXPECT_EQ(word(code_kind::golomb, 5, 4), "0101");
}

TEST(bvgraph_codes, integers_alternate_between_both_signs) {
  const std::vector<std::int64_t> integers = {0, -1, 1, -2, 2, -3};
  for (std::uint64_t i = 0; i < integers.size(); ++i) {
    EXPECT_EQ(natural_of(integers[i]), i);
    EXPECT_EQ(integer_of(i), integers[i]);
  }
}

std::vector<code> all_codes() {
  std::vector<code> all = {
      {code_kind::unary}, {code_kind::gamma}, {code_kind::delta}, {code_kind::nibble}};
  for (std::uint64_t k = 1; k <= 15; ++k) all.push_back({code_kind::zeta, k});
  for (const std::uint64_t modulus : {1, 2, 3, 5, 8, 1000})
    all.push_back({code_kind::golomb, modulus});
  return all;
}

/// Returns values of all lengths that fit. If the code has long code words for large values, few of
/// the returned values are large.
std::vector<std::uint64_t> values_for(code how, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const bool grows = how.kind == code_kind::unary || how.kind == code_kind::golomb;
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 2000; ++i) values.push_back(random() >> (grows ? 54 : 14 + random() % 50));
  return values;
}

TEST(bvgraph_codes, what_was_written_is_read) {
  for (const code how : all_codes()) {
    std::string bytes;
    bit_writer writer([&](std::string_view some) { bytes += some; });
    const auto values = values_for(how, 1);
    std::uint64_t bits = 0;
    for (const auto value : values) {
      writer.put(how, value);
      bits += bits_of(how, value);
      ASSERT_EQ(bits_of(how, value), word_of(how, value).bits());
      ASSERT_EQ(writer.written(), bits);
    }
    writer.finish();
    bit_reader reader(bytes);
    const code_reader words(how);
    for (const auto value : values)
      ASSERT_EQ(words.read(reader), value) << name_of(how.kind) << ' ' << how.parameter;
    EXPECT_EQ(reader.position(), bits);
  }
}

TEST(bvgraph_codes, no_word_ends_behind_the_end) {
  for (const code how : all_codes()) {
    const code_reader words(how);
    bit_reader zeros(std::string(40, '\0'));
    EXPECT_THROW(words.read(zeros), malformed) << name_of(how.kind);
    bit_reader nothing((std::string()));
    EXPECT_THROW(words.read(nothing), malformed);
  }
}

TEST(bvgraph_codes, numbers_that_no_graph_has_are_refused) {
  const code_reader gamma({code_kind::gamma});
  bit_reader long_word(std::string(9, '\0') + std::string(20, '\xff'));
  EXPECT_THROW(gamma.read(long_word), malformed);
}

}  // namespace
