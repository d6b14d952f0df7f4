// Tests messages that other PEs relay one by one, in jobs of twenty nodes with two PEs each.
// Messages for half of the nodes are relayed: the sender passes them to the other PE of its node,
// which sends them on.

#include "support/run_on.hpp"

#include <stdexcept>

using namespace atl;

namespace {

constexpr int k_pes_in_pairs = 40;

using table = global_array<std::uint64_t>;

settings job_of_pairs(std::uint64_t seed) {
  settings options = test::simulated_job_of(k_pes_in_pairs, seed);
  options.node_size = options.sim_node_size = 2;
  options.routing = routing::node;
  return options;
}

std::uint64_t counted(std::uint64_t observe::counters::* which) {
  this_pe().messages->update_counters();
  return (*this_pe().counters).*which;
}

/// Returns the sum of a counter over all PEs. Every PE calls this function.
task<std::uint64_t> all_counted(std::uint64_t observe::counters::* which) {
  co_return co_await all_reduce(counted(which), std::plus<>());
}

/// Adds the number of this PE plus one to `each` words of every PE, in a shuffled order.
void add_everywhere(table words, std::uint64_t each) {
  for (std::uint64_t i = 0; i < each * k_pes_in_pairs; ++i) {
    async_fetch_add(words[i * 7 % words.size()], static_cast<std::uint64_t>(my_pe()) + 1);
  }
}

/// Runs `each_pe(words)` on all PEs. The array has `each` words per PE.
void run_with_words(const settings& options, std::uint64_t each, task<> (*each_pe)(table)) {
  test::run_on(options, [each, each_pe]() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(each * k_pes_in_pairs);
    co_await on_all_pes([words, each_pe] { return each_pe(words); });
  });
}

class relayed : public testing::TestWithParam<std::uint64_t> {};

task<> check_that_each_is_executed_once(table words) {
  const auto executed_before = co_await all_counted(&observe::counters::messages_executed);
  const auto relayed_before = co_await all_counted(&observe::counters::messages_relayed);
  co_await all_barrier();
  const auto created = this_pe().messages->created();
  const auto add = [&] { add_everywhere(words, words.local().size()); };
  co_await finish(add);
  EXPECT_EQ(this_pe().messages->created() - created, words.size());
  co_await all_barrier();
  for (const std::uint64_t word : words.local())
    EXPECT_EQ(word, k_pes_in_pairs * (k_pes_in_pairs + 1) / 2u);
  const auto executed =
      co_await all_counted(&observe::counters::messages_executed) - executed_before;
  EXPECT_GE(executed, words.size() * (k_pes_in_pairs - 1));
  EXPECT_LT(executed, words.size() * (k_pes_in_pairs + 1));
  const auto sent_on = co_await all_counted(&observe::counters::messages_relayed) - relayed_before;
  EXPECT_GT(sent_on, words.size() * k_pes_in_pairs / 4);
}

TEST_P(relayed, messages_are_executed_once_and_counted_where_they_end) {
  settings options = job_of_pairs(GetParam());
  options.buffer_size = 1 << 10;
  run_with_words(options, 64, &check_that_each_is_executed_once);
}

/// A message that adds one to a word, and then sends itself to another PE. A PE can create
/// `wandering` messages while it also relays `wandering` messages of other PEs.
struct wandering {
  std::uint64_t offset;
  std::uint32_t steps_left;

  void operator()(std::uint64_t& word) const {
    ++word;
    if (steps_left == 0) return;
    const int next = (my_pe() * 7 + static_cast<int>(steps_left)) % pes();
    async_update(global_address<std::uint64_t>(next, offset), wandering{offset, steps_left - 1});
  }
};

task<> check_that_those_sent_by_messages_are_counted(table words) {
  constexpr std::uint32_t steps = 20;
  const auto& messages = *this_pe().messages;
  const auto open = [&] { return messages.created() - messages.executed(); };
  EXPECT_EQ(co_await all_reduce(open(), std::plus<>()), 0u);
  const auto before = co_await all_reduce(messages.executed(), std::plus<>());
  const auto wander = [=] {
    for (std::uint64_t i = 0; i < words.size(); ++i)
      async_update(words[i], wandering{words[i].offset(), steps});
  };
  co_await finish(wander);
  co_await all_barrier();
  const auto executed = co_await all_reduce(messages.executed(), std::plus<>()) - before;
  EXPECT_GE(executed, words.size() * k_pes_in_pairs * (steps + 1));
  EXPECT_EQ(co_await all_reduce(open(), std::plus<>()), 0u);
}

TEST_P(relayed, messages_that_send_others_of_their_kind_are_counted_beside_them) {
  run_with_words(job_of_pairs(GetParam()), 4, &check_that_those_sent_by_messages_are_counted);
}

/// Sends updates 1 to 2,000 to every third PE, in ascending order. `function(i)` returns the
/// function that executes update i on a word.
template <class Function>
task<> send_in_order(Function function) {
  const auto last = co_await make_array<std::uint64_t>(k_pes_in_pairs);
  const auto send = [&] {
    for (std::uint64_t i = 1; i <= 2000; ++i)
      for (std::uint64_t pe = 0; pe < k_pes_in_pairs; pe += 3) async_update(last[pe], function(i));
  };
  co_await finish(send);
}

TEST_P(relayed, messages_of_one_pe_to_another_stay_in_order) {
  const auto follows = [](std::uint64_t i) {
    return [i](std::uint64_t& word) noexcept {
      EXPECT_EQ(word + 1, i);
      word = i;
    };
  };
  test::run_on(job_of_pairs(GetParam()), [=] { return send_in_order(follows); });
  const auto follows_as_leaf = [=](std::uint64_t i) { return leaf(follows(i)); };
  test::run_on(job_of_pairs(GetParam()), [=] { return send_in_order(follows_as_leaf); });
}

/// Returns an update function that counts its executions in `executed`. Simulated PEs share the
/// memory of `executed`.
auto counting_in(std::uint64_t& executed) {
  return [counted = &executed](std::uint64_t&) noexcept { ++*counted; };
}

/// Checks that all updates of a scope are executed when the scope ends. `function(executed)`
/// returns the function that updates a word of each PE.
template <class Function>
void expect_executed_when_scopes_end(std::uint64_t seed, Function function) {
  std::uint64_t relayed_messages = 0;
  const auto each_pe = [&relayed_messages, function](table words) -> task<> {
    co_await sleep_for(my_pe() * 10'000);
    std::uint64_t executed = 0;
    const auto update = [&] {
      for (std::uint64_t pe = 0; pe < k_pes_in_pairs; ++pe)
        async_update(words[pe], function(executed));
    };
    co_await finish(update);
    EXPECT_EQ(executed, std::uint64_t{k_pes_in_pairs});
    // The barriers keep `executed` alive for updates that a faulty runtime executes late.
    co_await all_barrier();
    co_await all_barrier();
    relayed_messages += counted(&observe::counters::messages_relayed);
  };
  test::run_on(job_of_pairs(seed), [&]() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(k_pes_in_pairs);
    co_await on_all_pes([words, of_each = &each_pe] { return (*of_each)(words); });
  });
  EXPECT_GT(relayed_messages, 0u);
}

// A relayed message must be acknowledged only after it has been executed.
TEST_P(relayed, messages_are_executed_when_their_scope_ends) {
  expect_executed_when_scopes_end(GetParam(),
                                  [](std::uint64_t& executed) { return counting_in(executed); });
  expect_executed_when_scopes_end(
      GetParam(), [](std::uint64_t& executed) { return leaf(counting_in(executed)); });
}

task<> check_that_what_they_set_off_is_done(table words) {
  const auto set_off = [&] {
    for (std::uint64_t pe = 0; pe < k_pes_in_pairs; ++pe) {
      async_update(words[pe], [words, from = my_pe()](std::uint64_t&) {
        const auto next = static_cast<std::uint64_t>(from + my_pe()) % k_pes_in_pairs;
        async_fetch_add(words[next], 1);
      });
    }
  };
  co_await finish(set_off);
  co_await all_barrier();
  EXPECT_EQ(words.local()[0], std::uint64_t{k_pes_in_pairs});
}

TEST_P(relayed, messages_are_done_when_what_they_have_set_off_is) {
  run_with_words(job_of_pairs(GetParam()), 1, &check_that_what_they_set_off_is_done);
}

/// Updates PE 0's word with a function that throws. Returns the error that ends the scope on this
/// PE.
task<std::string> failure_of_far_update(table words) {
  const auto update = [&] {
    async_update(words[0], [from = my_pe()](std::uint64_t&) {
      throw std::runtime_error(std::to_string(from));
    });
  };
  try {
    co_await finish(update);
  } catch (const error& failed) {
    co_return failed.what();
  }
  co_return "";
}

task<> check_who_fails(table words) {
  // PEs with odd numbers send messages for PE 0 through the other PE of their node.
  if (my_pe() > 1 && my_pe() % 2 == 1) {
    const std::string failure = co_await failure_of_far_update(words);
    EXPECT_EQ(failure, fmt::format("PE 0: {}", my_pe()));
  }
  const auto add = [&] { add_everywhere(words, 1); };
  co_await finish(add);
}

TEST_P(relayed, messages_fail_in_the_scope_that_sent_them_and_in_no_other) {
  run_with_words(job_of_pairs(GetParam()), 1, &check_who_fails);
}

void end_by_a_leaf_that_spawns(settings options, std::uint64_t pe) {
  options.pe_kind = pe_kind::thread;
  EXPECT_DEATH(test::status_of(options,
                               [pe]() -> task<> {
                                 const auto words = co_await make_array<std::uint64_t>(
                                     static_cast<std::uint64_t>(pes()));
                                 const auto update = [=] {
                                   async_update(words[pe], leaf([](std::uint64_t&) noexcept {
                                                  spawn([]() -> task<> { co_return; });
                                                }));
                                 };
                                 co_await finish(update);
                               }),
               "a leaf function has sent or spawned something");
}

TEST(a_leaf, that_spawns_is_refused_where_it_runs) {
  end_by_a_leaf_that_spawns(test::simulated_job_of(2, 1), 1);
  end_by_a_leaf_that_spawns(job_of_pairs(1), 3);
}

// For each PE, a flag for which spawned tasks wait. All PEs of the simulated job share the flags.
bool locked[k_pes_in_pairs];

task<> wait_until_unlocked() {
  while (locked[my_pe()]) co_await yield();
}

// While the updates of a PE are in flight, the PE's flag `locked` is set. Messages of other PEs
// spawn a task on the PE. The task waits until the flag is cleared. The acknowledgement of the
// updates must not wait for spawned tasks.
task<> update_while_locked(table words) {
  co_await all_barrier();
  const auto spawn_what_waits = [&] {
    // Only PEs that reach PE `my_pe() ^ 3` without a relay send it an update.
    if (my_pe() % 2 != my_pe() / 2 % 2) return;
    async_update(words[static_cast<std::uint64_t>(my_pe() ^ 3)],
                 [](std::uint64_t&) noexcept { spawn(&wait_until_unlocked); });
  };
  const auto add = [&] { add_everywhere(words, 1); };
  const auto both = [&]() -> task<> {
    spawn_what_waits();
    locked[my_pe()] = true;
    co_await finish(add);
    locked[my_pe()] = false;
  };
  co_await finish(both);
}

TEST_P(relayed, messages_do_not_wait_for_what_others_have_spawned) {
  run_with_words(job_of_pairs(GetParam()), 1, &update_while_locked);
}

// The 85 nodes of the job form a square grid of ten columns, whose last row is short.
TEST_P(relayed, messages_go_by_a_grid_of_nodes) {
  settings options = test::simulated_job_of(170, GetParam());
  options.node_size = options.sim_node_size = 2;
  options.routing = routing::grid;
  test::run_on(options, []() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    const auto add_here = [words]() -> task<> {
      const auto all = [&] {
        for (std::uint64_t i = 0; i < words.size(); ++i) async_fetch_add(words[i], 1);
      };
      co_await finish(all);
      co_await all_barrier();
      EXPECT_EQ(words.local()[0], words.size());
    };
    co_await on_all_pes(add_here);
  });
}

INSTANTIATE_TEST_SUITE_P(under, relayed, testing::Values(1, 2, 3));

}  // namespace
