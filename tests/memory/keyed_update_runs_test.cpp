// Tests how many runs and how many bytes a loop of updates by key needs. A run is a sequence of
// messages with the same function in a buffer.

#include "support/run_on.hpp"

#include <numeric>
#include <vector>

using namespace atl;

namespace {

/// Returns what the counters of PE 0 have counted during `keys` updates by key. The updates go to
/// the PEs in `targets` in turn.
observe::counters counted_for(const settings& options, const std::vector<int>& targets, int keys) {
  observe::counters result;
  test::run_on(options, [&]() -> task<> {
    const auto array = co_await make_array<std::uint64_t>(std::uint64_t(pes()) * 8);
    const auto before = *this_pe().counters;
    const auto issue = [&] {
      auto updates = updates_by_key<std::uint64_t>(
          array, [](std::uint64_t key) noexcept { return key; },
          [](std::uint64_t& word, std::uint64_t) noexcept { ++word; });
      updates.issue(static_cast<std::uint64_t>(keys), [&, i = std::size_t{0}]() mutable {
        return static_cast<std::uint64_t>(targets[i++ % targets.size()]) * 8;
      });
    };
    co_await finish(issue);
    result = observe::difference(*this_pe().counters, before);
    co_await array.destroy();
  });
  return result;
}

TEST(keyed_updates, take_the_bytes_of_a_key_each) {
  settings options = test::job_of(2);
  options.buffer_size = 4 << 10;
  const auto counts = counted_for(options, {1}, 2000);
  // The keys fill five buffers, each with one run. The runtime may open one more run.
  EXPECT_LE(counts.runs_opened, 6u);
  EXPECT_GE(counts.buffer_bytes_sent, 16'000u);
  EXPECT_LE(counts.buffer_bytes_sent, 16'000u + 5 * 200);
}

// With routing by node, an update reaches its destination through another PE. PE 0 must still send
// no more than the key for each update.
TEST(keyed_updates, take_the_bytes_of_a_key_on_their_way_through_hops) {
  settings options = test::simulated_job_of(4, 1);
  options.node_size = options.sim_node_size = 2;
  options.routing = routing::node;
  options.buffer_size = 4 << 10;
  const auto counts = counted_for(options, {2, 3}, 2000);
  EXPECT_GE(counts.buffer_bytes_sent, 16'000u);
  EXPECT_LE(counts.buffer_bytes_sent, 18'000u);
}

// With routing by node, a PE relays single messages to many destinations. Each relayed message
// contains its destination and its array besides the key.
TEST(keyed_updates, are_relayed_where_messages_are) {
  settings options = test::simulated_job_of(40, 1);
  options.node_size = options.sim_node_size = 2;
  options.routing = routing::node;
  std::vector<int> of_other_nodes(38);
  std::iota(of_other_nodes.begin(), of_other_nodes.end(), 2);
  const auto counts = counted_for(options, of_other_nodes, 2000);
  EXPECT_GE(counts.buffer_bytes_sent, 2'000u * 14);
}

// With more than 1,024 PEs, two PEs can share one entry of the sender's table of buffers. Updates
// to both PEs in turn must not open a new run for each message.
TEST(keyed_updates, keep_their_run_where_pes_share_places) {
  if (test::only_threads) GTEST_SKIP() << "a thread sanitizer leaves too little address space";
  settings options = test::simulated_job_of(1100, 1);
  options.routing = routing::direct;
  const auto counts = counted_for(options, {7, 7 + 1024}, 1000);
  EXPECT_LE(counts.runs_opened, 10u);
}

}  // namespace
