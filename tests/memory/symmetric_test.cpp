// A peer stores directly into symmetric memory, without a message. The data is visible after a
// barrier.

#include "support/run_on.hpp"
#include "support/shared_words.hpp"

using namespace atl;
using test::directly;

namespace {

class symmetric : public test::on_pes {};

using words = global_array<std::uint64_t>;

std::uint64_t value(int writer, std::uint64_t i) {
  return hash(1000 * static_cast<std::uint64_t>(writer) + i);
}

/// Returns the index of an element in the block of the PE `owner`. The element is element `i` of
/// the part that the PE `writer` writes. Each part has `part` elements.
std::uint64_t index_of(int owner, int writer, std::uint64_t i, std::uint64_t part) {
  return part * static_cast<std::uint64_t>(pes() * owner + writer) + i;
}

task<> write_all_and_check(words array, std::uint64_t part) {
  for (int owner = 0; owner < pes(); ++owner) {
    for (std::uint64_t i = 0; i < part; ++i) {
      directly(array[index_of(owner, my_pe(), i, part)]) = value(my_pe(), i);
    }
  }
  co_await all_barrier();
  std::uint64_t wrong = 0;
  for (std::uint64_t k = 0; k < array.local().size(); ++k) {
    wrong += array.local()[k] != value(static_cast<int>(k / part), k % part);
  }
  EXPECT_EQ(wrong, 0u);
  co_await all_barrier();
  for (int owner = 0; owner < pes(); ++owner) {
    for (int writer = 0; writer < pes(); ++writer) {
      wrong += directly(array[index_of(owner, writer, 1, part)]) != value(writer, 1);
    }
  }
  EXPECT_EQ(wrong, 0u);
}

TEST_P(symmetric, memory_is_written_and_read_by_every_peer) {
  run([]() -> task<> {
    const std::uint64_t part = 700;
    const auto all = static_cast<std::uint64_t>(pes());
    const auto array = co_await make_array<std::uint64_t>(
        part * all * all, array_options(part * all, placement::symmetric));
    co_await on_all_pes([array] { return write_all_and_check(array, part); });
    const auto some = co_await read(array[5]);
    EXPECT_EQ(some, value(0, 5)) << "delegates see it as well";
  });
}

TEST_P(symmetric, memory_counts_atomically) {
  run([]() -> task<> {
    const auto counter =
        co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()), placement::symmetric);
    const auto last = counter[counter.size() - 1];
    co_await on_all_pes([last] {
      for (int i = 0; i < 5000; ++i) ++test::shared_word(last);
    });
    const auto sum = co_await read(last);
    EXPECT_EQ(sum, static_cast<std::uint64_t>(5000 * pes()));
  });
}

TEST_P(symmetric, memory_is_as_large_as_the_program_wants) {
  run([]() -> task<> {
    const std::uint64_t bytes = std::uint64_t{64} << 20;
    const auto array = co_await make_array<unsigned char>(bytes, placement::symmetric);
    const auto last = array[bytes - 1];
    directly(last) = 9;
    const auto seen = co_await read(last);
    EXPECT_EQ(seen, 9);
    co_await array.destroy();
  });
}

ATOLL_RUN_ON_ALL(symmetric);

}  // namespace
