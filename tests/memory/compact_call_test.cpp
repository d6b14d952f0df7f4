// Tests compact calls, which are short messages that update one object. A compact call needs an
// object whose offset fits into 32 bits; other objects get longer messages. The messages have many
// sizes.

#include "support/run_on.hpp"

#include <array>
#include <numeric>

using namespace atl;

namespace {

class compact_calls : public test::on_pes {};

/// Lets every PE add to each word of an array `times` times. All additions belong to one scope.
template <class T, class Add>
task<> add_everywhere(placement where, int times, Add add, T expected_each) {
  const auto all = static_cast<std::uint64_t>(pes());
  const auto words = co_await make_array<T>(3 * all, array_options(3, where));
  const auto part = [=]() -> task<> {
    const auto send = [=] {
      for (int k = 0; k < times; ++k)
        for (std::uint64_t i = 0; i < words.size(); ++i) add(words[i]);
    };
    co_await finish(send);
    co_await all_barrier();
    for (const T& word : words.local()) EXPECT_EQ(word, static_cast<T>(expected_each * pes()));
  };
  co_await on_all_pes(part);
  co_await words.destroy();
}

/// An object that a sent function captures, with a size of `Bytes` bytes. The sum of the bytes
/// shows whether the content has arrived completely.
template <std::size_t Bytes>
struct cargo {
  std::array<std::uint8_t, Bytes> bytes;
  explicit cargo(std::uint8_t first) {
    for (std::size_t i = 0; i < Bytes; ++i) bytes[i] = static_cast<std::uint8_t>(first + i);
  }
  std::uint64_t sum() const {
    return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
  }
};

template <std::size_t Bytes>
task<> add_cargo(placement where, int times) {
  const cargo<Bytes> carried(7);
  const auto add = [carried](global_address<std::uint64_t> at) {
    async_update(at, [carried](std::uint64_t& word) { word += carried.sum(); });
  };
  const std::uint64_t expected = carried.sum() * static_cast<std::uint64_t>(times);
  co_await add_everywhere<std::uint64_t>(where, times, add, expected);
}

task<> add_all_sizes(placement where, int times) {
  co_await add_cargo<1>(where, times);
  co_await add_cargo<3>(where, times);
  co_await add_cargo<4>(where, times);
  co_await add_cargo<8>(where, times);
  co_await add_cargo<13>(where, times);
  co_await add_cargo<64>(where, times);
}

TEST_P(compact_calls, take_functions_of_any_size) {
  run([] { return add_all_sizes(placement::owner_only, 5); });
}

TEST_P(compact_calls, of_the_symmetric_part_take_them_too) {
  run([] { return add_all_sizes(placement::symmetric, 3); });
}

TEST_P(compact_calls, take_functions_without_a_state) {
  run([]() -> task<> {
    const auto increment = [](global_address<std::uint8_t> at) {
      async_update(at, [](std::uint8_t& byte) { ++byte; });
    };
    co_await add_everywhere<std::uint8_t>(placement::owner_only, 7, increment, 7);
  });
}

TEST_P(compact_calls, take_words_half_words_and_doubles_in_one_scope) {
  run([]() -> task<> {
    struct mixture {
      double real;
      std::uint32_t half;
      std::uint64_t whole;
      bool operator==(const mixture&) const = default;
      mixture operator*(int n) const {
        return {real * n, half * static_cast<std::uint32_t>(n),
                whole * static_cast<std::uint64_t>(n)};
      }
    };
    const auto add = [](global_address<mixture> at) {
      async_update(at, [x = 0.5](mixture& there) { there.real += x; });
      async_update(at, [x = 3U](mixture& there) { there.half += x; });
      async_update(at, [x = std::uint64_t{1} << 40](mixture& there) { there.whole += x; });
    };
    const mixture each{.real = 11 * 0.5, .half = 33, .whole = std::uint64_t{11} << 40};
    co_await add_everywhere<mixture>(placement::owner_only, 11, add, each);
  });
}

TEST(compact_call, says_what_it_reaches) {
  const auto nothing = [](auto&) {};
  using word = memory::compact_call<std::uint64_t, decltype(nothing)>;
  using byte = memory::compact_call<std::uint8_t, decltype(nothing)>;
  constexpr std::uint64_t reach = std::uint64_t{1} << 32;
  EXPECT_TRUE(word::reaches(8 * reach - 8));
  EXPECT_FALSE(word::reaches(8 * reach));
  EXPECT_TRUE(byte::reaches(reach - 1));
  EXPECT_FALSE(byte::reaches(reach));
  EXPECT_FALSE(word::reaches(memory::k_symmetric));
  EXPECT_EQ(sizeof(word), 4u);
}

TEST(compact_call, with_a_word_takes_twelve_bytes) {
  const auto add = [x = std::uint64_t{1}](std::uint64_t& there) { there += x; };
  using closure = memory::compact_call<std::uint64_t, decltype(add)>;
  EXPECT_EQ(message::k_slot<closure>, 12u);
}

ATOLL_RUN_ON_ALL(compact_calls);

}  // namespace
