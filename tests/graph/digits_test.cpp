#include "atoll/graph/io/field.hpp"

#include <gtest/gtest.h>
#include <random>
#include <string>

namespace {

using atl::graph::leading_digits;

TEST(leading_digits, are_counted_up_to_the_first_other_byte) {
  for (int other = 0; other < 256; ++other) {
    if (other >= '0' && other <= '9') continue;
    for (unsigned count = 0; count < 8; ++count) {
      auto text = std::string(count, '9') + static_cast<char>(other) + "12345678";
      EXPECT_EQ(leading_digits(text.data()).count(), count) << other;
      text[count + 1] = '\xff';
      EXPECT_EQ(leading_digits(text.data()).count(), count) << other;
    }
  }
  EXPECT_EQ(leading_digits("12345678").count(), 8u);
  EXPECT_EQ(leading_digits("123456789").count(), 8u);
}

TEST(leading_digits, say_a_number) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto number = random() % 100'000'000 >> random() % 27;
    auto text = std::to_string(number) + " \n#xyzab";
    EXPECT_EQ(leading_digits(text.data()).value(), number);
    text = std::string(8 - std::to_string(number).size(), '0') + text;
    EXPECT_EQ(leading_digits(text.data()).value(), number);
  }
  EXPECT_EQ(leading_digits("99999999").value(), 99'999'999u);
  EXPECT_EQ(leading_digits("00000000").value(), 0u);
}

}  // namespace
