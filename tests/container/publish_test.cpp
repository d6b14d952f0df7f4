// Tests `publish`. A PE may keep pushed elements for itself, and `publish` makes these elements
// visible to all PEs.

#include "container/combining_modes.hpp"
#include "support/run_on.hpp"

using namespace atl;

namespace {

class publishing : public test::on_pes {};

/// An element, and the number of elements that the same PE has pushed before this element.
struct numbered {
  std::uint32_t pe;
  std::uint32_t number;
};

template <class Structure>
task<> keep_on_all(Structure structure, std::uint32_t count) {
  const auto keep = [=] {
    for (std::uint32_t i = 0; i < count; ++i)
      structure.local_push({static_cast<std::uint32_t>(my_pe()), i});
  };
  co_await on_all_pes(keep);
}

/// Pops all elements. Returns for each PE the numbers of the elements that this PE has pushed, in
/// the order of the pops.
template <class Structure>
task<std::vector<std::vector<std::uint32_t>>> pop_all(Structure structure) {
  std::vector<std::vector<std::uint32_t>> of_pe(static_cast<std::size_t>(pes()));
  for (auto taken = co_await structure.pop(); taken; taken = co_await structure.pop())
    of_pe[taken->pe].push_back(taken->number);
  co_return of_pe;
}

template <class Structure>
task<> expect_in_order(combining_mode mode, bool newest_first) {
  constexpr std::uint32_t k_count = 700;
  const auto structure = co_await Structure::make(combining_options(mode, 2));
  co_await keep_on_all(structure, k_count);
  co_await structure.publish();
  EXPECT_EQ(structure.local_size(), 0u);
  std::vector<std::uint32_t> wanted(k_count);
  for (std::uint32_t i = 0; i < k_count; ++i) wanted[i] = newest_first ? k_count - 1 - i : i;
  for (const auto& numbers : co_await pop_all(structure)) EXPECT_EQ(numbers, wanted);
  co_await structure.destroy();
}

/// Network buffers and batches are small, so that many messages and commits could overtake each
/// other.
TEST_P(publishing, keeps_the_order_of_each_pe) {
  options.buffer_size = 1 << 10;
  run([]() -> task<> {
    for (const combining_mode mode : test::k_combining_modes) {
      co_await expect_in_order<global_queue<numbered>>(mode, false);
      co_await expect_in_order<global_stack<numbered>>(mode, true);
    }
  });
}

struct kept_page {
  std::uint32_t pe;
  std::uint32_t number;
  std::array<std::uint64_t, 63> rest;
};

/// If there is no memory, `publish` leaves elements on their PE. Once there is memory again, the
/// next `publish` pushes the elements that an earlier `publish` left.
TEST_P(publishing, without_memory_keeps_what_it_cannot_push) {
  static constexpr std::uint32_t k_count = 12'000;
  options.memory_limit = (4u << 20) * GetParam().pes;
  run([]() -> task<> {
    const auto queue = co_await global_queue<kept_page>::make();
    const auto keep = [=] {
      for (std::uint32_t i = 0; i < k_count; ++i)
        queue.local_push({static_cast<std::uint32_t>(my_pe()), i, {}});
    };
    co_await on_all_pes(keep);
    std::vector<std::uint32_t> next(static_cast<std::size_t>(pes()));
    int refused = 0;
    for (bool all_pushed = false; !all_pushed;) {
      try {
        co_await queue.publish();
        all_pushed = true;
      } catch (const error& failure) {
        EXPECT_NE(std::string(failure.what()).find("out of memory"), std::string::npos);
        ++refused;
      }
      for (auto taken = co_await queue.pop(); taken; taken = co_await queue.pop())
        EXPECT_EQ(taken->number, next[taken->pe]++);
    }
    EXPECT_GT(refused, 0);
    for (const std::uint32_t count : next) EXPECT_EQ(count, k_count);
    co_await queue.destroy();
  });
}

ATOLL_RUN_ON(publishing, 1, 2, 3, 5);

}  // namespace
