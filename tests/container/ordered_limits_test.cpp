// Tests stacks and queues whose memory cannot grow. Also tests pushed elements that a PE keeps for
// itself until the structure is published.

#include "container/combining_modes.hpp"
#include "support/run_on.hpp"

using namespace atl;

namespace {

class ordered_limits : public test::on_pes {
 protected:
  ordered_limits() { options.memory_limit = (3u << 20) * GetParam().pes; }
};

/// A large element: the memory limit leaves room for only a few elements of this type.
struct numbered_page {
  std::uint64_t number;
  std::array<std::uint64_t, 63> rest;
};

/// Pushes elements until memory runs out. Returns the number of pushed elements.
template <class Structure>
task<std::uint64_t> fill(Structure structure, std::uint64_t at_a_time) {
  const auto stored = co_await make_array<std::uint64_t>(2);
  const auto push = [=](std::uint64_t i) -> task<> {
    bool refused = false;
    try {
      co_await structure.push(numbered_page{i, {}});
    } catch (const error& failure) {
      EXPECT_EQ(failure.code(), errc::out_of_memory);
      EXPECT_NE(std::string(failure.what()).find("--memory-limit"), std::string::npos);
      refused = true;
    }
    async_fetch_add(stored[refused ? 1 : 0], 1);
  };
  while (co_await read(stored[1]) == 0) co_await parallel_for(at_a_time, push);
  const std::uint64_t pushed = co_await read(stored[0]);
  co_await stored.destroy();
  co_return pushed;
}

/// Fills the structure until no memory is left. The full structure must contain exactly the
/// elements whose push threw no error.
template <class Structure>
task<> expect_nothing_lost(combining_mode mode) {
  const auto structure = co_await Structure::make(combining_options(mode));
  const std::uint64_t pushed = co_await fill(structure, 1000);
  EXPECT_GT(pushed, 1000u);
  EXPECT_EQ(co_await structure.size(), pushed);
  const auto popped = co_await make_array<std::uint64_t>(1);
  const auto pop = [=](std::uint64_t) -> task<> {
    const auto taken = co_await structure.pop();
    if (taken) async_fetch_add(popped[0], 1);
  };
  co_await parallel_for(pushed + 10, pop);
  EXPECT_EQ(co_await read(popped[0]), pushed);
  co_await structure.push(numbered_page{});
  EXPECT_EQ(co_await structure.size(), 1u);
  co_await popped.destroy();
  co_await structure.destroy();
}

TEST_P(ordered_limits, without_memory_to_grow_nothing_is_lost) {
  if (size() > 3) return;
  run([]() -> task<> {
    for (const combining_mode mode : test::k_combining_modes) {
      if (mode == combining_mode::none && test::sanitized) continue;
      co_await expect_nothing_lost<global_stack<numbered_page>>(mode);
      co_await expect_nothing_lost<global_queue<numbered_page>>(mode);
    }
  });
}

/// Requests of several tasks are executed together, in parts of the size of a network buffer.
/// Buffers are small here, so only the later parts find no memory.
TEST_P(ordered_limits, without_memory_for_a_part_of_a_commit_the_others_stand) {
  if (size() > 3) return;
  options.buffer_size = 2 << 10;
  run([]() -> task<> {
    for (const combining_mode mode : {combining_mode::central, combining_mode::local}) {
      co_await expect_nothing_lost<global_stack<numbered_page>>(mode);
      co_await expect_nothing_lost<global_queue<numbered_page>>(mode);
    }
  });
}

/// Pushes and a pop are executed as one batch. If there is no memory for the pushes of a batch, a
/// pop of the batch must still get its element.
TEST_P(ordered_limits, pops_beside_pushes_without_memory_keep_their_answers) {
  run([]() -> task<> {
    for (const combining_mode mode : {combining_mode::local, combining_mode::both}) {
      const auto queue = co_await global_queue<numbered_page>::make(combining_options(mode));
      const std::uint64_t pushed = co_await fill(queue, 1000);
      std::uint64_t popped = 0;
      std::uint64_t refused = 0;
      const auto both = [&] {
        for (int i = 0; i < 2000; ++i) {
          spawn([&]() -> task<> {
            try {
              co_await queue.push(numbered_page{});
            } catch (const error&) {
              ++refused;
            }
          });
        }
        spawn([&]() -> task<> { popped += (co_await queue.pop()).has_value() ? 1 : 0; });
      };
      co_await finish(both);
      EXPECT_EQ(popped, 1u);
      EXPECT_GT(refused, 0u);
      EXPECT_EQ(co_await queue.size(), pushed + 2000 - refused - popped);
      co_await queue.destroy();
    }
  });
}

TEST_P(ordered_limits, a_queue_that_moves_on_needs_no_more_memory) {
  run([]() -> task<> {
    const auto queue = co_await global_queue<numbered_page>::make();
    const auto pass = [=](std::uint64_t) -> task<> {
      co_await queue.push(numbered_page{});
      const auto taken = co_await queue.pop();
      EXPECT_TRUE(taken.has_value());
    };
    for (int round = 0; round < (test::sanitized ? 1 : 2); ++round)
      co_await parallel_for(10'000, pass);
    EXPECT_EQ(co_await queue.size(), 0u);
    co_await queue.destroy();
  });
}

TEST_P(ordered_limits, asynchronous_pushes_are_visible_when_their_scope_ends) {
  run([]() -> task<> {
    for (const combining_mode mode : test::k_combining_modes) {
      const auto stack = co_await global_stack<std::uint64_t>::make(combining_options(mode, 64));
      const auto push = [=](std::uint64_t i) { stack.async_push(i); };
      co_await parallel_for(1000, push);
      EXPECT_EQ(co_await stack.size(), 1000u);
      std::uint64_t sum = 0;
      for (auto taken = co_await stack.pop(); taken; taken = co_await stack.pop()) sum += *taken;
      EXPECT_EQ(sum, 999u * 1000 / 2);
      co_await stack.destroy();
    }
  });
}

TEST_P(ordered_limits, what_a_pe_keeps_is_its_own_until_it_is_published) {
  run([]() -> task<> {
    const auto queue = co_await global_queue<std::uint64_t>::make();
    const auto stack = co_await global_stack<std::uint64_t>::make();
    const auto keep = [=] {
      for (std::uint64_t i = 0; i < 10; ++i) {
        queue.local_push(i);
        stack.local_push(i);
      }
      EXPECT_EQ(queue.local_pop().value_or(99), 0u);
      EXPECT_EQ(stack.local_pop().value_or(99), 9u);
      EXPECT_EQ(stack.local_size(), 9u);
    };
    co_await on_all_pes(keep);
    EXPECT_EQ(co_await queue.size(), 0u);
    co_await queue.publish();
    co_await stack.publish();
    EXPECT_EQ(queue.local_size(), 0u);
    EXPECT_FALSE(queue.local_pop().has_value());
    EXPECT_EQ(co_await queue.size(), 9u * static_cast<unsigned>(pes()));
    EXPECT_EQ(co_await stack.size(), 9u * static_cast<unsigned>(pes()));
    co_await queue.destroy();
    co_await stack.destroy();
  });
}

ATOLL_RUN_ON(ordered_limits, 1, 2, 3, 7);

}  // namespace
