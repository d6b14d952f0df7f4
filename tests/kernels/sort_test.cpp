// Sorted keys must be the keys of the input in order, on any number of PEs and with any
// repetitions. No PE may get many more keys than its share.

#include "kernels/sort_job.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>

namespace {

using namespace sort_job;

/// Values of `fewest_put`. With the value 0, each piece is sent by a put of its own, even between
/// nodes.
constexpr std::uint64_t k_fewest_put[] = {1024, 0};

/// The sort of the library, as a function that `compare` can call.
constexpr auto k_by_stores = [](auto all) { return sorting::all_sort(all); };

class key_sort : public test::on_pes {};

TEST_P(key_sort, orders_keys_of_32_bits_as_the_standard_library) {
  run([]() -> task<> {
    for (const auto& each : k_inputs)
      for (const auto fewest : k_fewest_put)
        co_await compare<std::uint32_t>(each, k_by_stores, fewest);
  });
}

TEST_P(key_sort, orders_keys_of_64_bits_as_the_standard_library) {
  run([]() -> task<> {
    for (const auto& each : k_wide_inputs)
      for (const auto fewest : k_fewest_put)
        co_await compare<std::uint64_t>(each, k_by_stores, fewest);
  });
}

ATOLL_RUN_ON_ALL(key_sort);

// The test makes only counts of keys, because 2^32 keys would need 16 GiB.
TEST(sort_counts, are_refused_where_they_do_not_fit_as_they_travel) {
  test::run_alone([]() -> task<> {
    constexpr std::uint64_t most = 0xffff'ffff;
    const std::vector<std::uint64_t> fit = {0, most, 7}, beyond = {1, most + 1};
    EXPECT_EQ(kernels::sort::narrow_counts(fit), (std::vector<std::uint32_t>{0, most, 7}));
    EXPECT_THAT(test::refusal_of([&] { kernels::sort::narrow_counts(beyond); }),
                testing::HasSubstr("PE 0 has 4294967296 keys of one bucket"));
    co_return;
  });
}

}  // namespace
