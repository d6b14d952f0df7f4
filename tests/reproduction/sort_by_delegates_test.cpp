// Tests sorting by a remote call (delegate) for each key. Keys must be sorted correctly, on any
// number of PEs and with any repetitions.

#include "bench/integer_sort.hpp"
#include "kernels/sort_job.hpp"
#include "reproduction/sort/delegates.hpp"

namespace {

using namespace sort_job;
using bench::integer_sort::all_run;
using reproduction::by_delegates;
using reproduction::key_cursors;
using reproduction::move_by_delegates;

template <class Key>
task<> compare_by_delegates(const input& of) {
  const move_by_delegates<Key> how{co_await per_pe<key_cursors<Key>>::make()};
  co_await compare<Key>(of, [how](auto all) { return sorting::all_sort(all, how); });
  co_await how.cursors.destroy();
}

class sort_by_delegates : public test::on_pes {};

TEST_P(sort_by_delegates, orders_keys_of_32_bits_as_the_standard_library) {
  run([]() -> task<> {
    for (const auto& each : k_inputs) co_await compare_by_delegates<std::uint32_t>(each);
  });
}

TEST_P(sort_by_delegates, orders_keys_of_64_bits_as_the_standard_library) {
  run([]() -> task<> {
    for (const auto& each : k_wide_inputs) co_await compare_by_delegates<std::uint64_t>(each);
  });
}

TEST_P(sort_by_delegates, is_right_without_aggregation_where_room_is_scarce) {
  options.aggregation = false;
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  run([]() -> task<> { co_await compare_by_delegates<std::uint32_t>(k_inputs[4]); });
}

TEST_P(sort_by_delegates, passes_both_verifications_of_nas) {
  run([]() -> task<> {
    const auto of = *nas_class_of('S');
    const by_delegates how = co_await by_delegates::make();
    const global_keys keys = co_await bench::integer_sort::make_nas_keys(of);
    const auto found = co_await from_all_pes([=] { return all_run(keys, of, how); });
    EXPECT_EQ(found.tests_passed, 50u);
    EXPECT_EQ(found.keys, 65536u);
    co_await bench::integer_sort::verify_nas_keys(keys, of);
    co_await keys.destroy();
    co_await how.destroy();
  });
}

ATOLL_RUN_ON(sort_by_delegates, 1, 2, 3, 7);

}  // namespace
