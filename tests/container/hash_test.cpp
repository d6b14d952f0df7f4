// Tests global sets and maps in all modes.

#include "container/combining_modes.hpp"
#include "support/run_on.hpp"
#include "support/shared_words.hpp"

#include <algorithm>
#include <unordered_map>

using namespace atl;

namespace {

class hash_tables : public test::on_pes {};

using number_set = global_hash_set<std::uint64_t>;
using number_map = global_hash_map<std::uint64_t, std::uint64_t>;

constexpr std::uint64_t k_small_batch = 50;  // The batch is small, so that there are many batches.

using map_twin = std::unordered_map<std::uint64_t, std::uint64_t>;

/// Executes an operation on the map and on its model, and compares the results.
task<> do_on_both(number_map map, map_twin& twin, random_stream& random) {
  const std::uint64_t key = random.below(40);
  const std::uint64_t value = random();
  const bool known = twin.contains(key);
  switch (random.below(6)) {
  case 0:
    EXPECT_EQ(co_await map.insert(key, value), !known);
    twin.emplace(key, value);
    break;
  case 1:
    EXPECT_EQ(co_await map.insert_or_assign(key, value), !known);
    twin[key] = value;
    break;
  case 2:
    EXPECT_EQ(co_await map.erase(key), known);
    twin.erase(key);
    break;
  case 3:
    EXPECT_EQ(co_await map.update(key, [value](std::uint64_t& at) { at += value; }), known);
    if (known) twin[key] += value;
    break;
  case 4:
    EXPECT_EQ(co_await map.insert_or_update(key, value, [](std::uint64_t& at) { at = at * 3 + 1; }),
              !known);
    twin[key] = known ? twin[key] * 3 + 1 : value;
    break;
  default:
    const auto found = co_await map.lookup(key);
    EXPECT_EQ(found.has_value(), known);
    EXPECT_EQ(found.value_or(0), known ? twin[key] : 0);
  }
}

TEST_P(hash_tables, one_task_sees_its_own_order) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const auto map = co_await number_map::make(combining_options(mode, k_small_batch));
    map_twin twin;
    random_stream random(3);
    for (int i = 0; i < 400; ++i) co_await do_on_both(map, twin, random);
    EXPECT_EQ(co_await map.size(), twin.size());
    co_await map.destroy();
  }));
}

/// Lets every PE call the coroutine `change(key)` for all keys below `count` at the same time.
/// `change` returns true if it changed the map. For each key, exactly one PE must get true.
template <class Change>
task<> expect_one_change_a_key(std::uint64_t count, Change change) {
  const auto changes = co_await make_array<std::uint64_t>(count);
  const auto of_pe = [=]() -> task<> {
    const auto one = [=](std::uint64_t i) -> task<> {
      const std::uint64_t key = (i + static_cast<unsigned>(my_pe()) * 17) % count;
      const bool changed = co_await change(key);
      if (changed) async_fetch_add(changes[key], 1);
    };
    co_await local_parallel_for(0, count, one);
  };
  co_await on_all_pes(of_pe);
  std::vector<std::uint64_t> found(count);
  co_await get(changes, 0, found);
  EXPECT_EQ(std::ranges::count(found, 1u), static_cast<std::int64_t>(count));
  co_await changes.destroy();
}

TEST_P(hash_tables, one_of_many_inserts_and_erasures_of_a_key_does_it) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const combining_options options(mode, k_small_batch);
    const std::uint64_t count = test::sanitized ? 300 : 3000;
    const auto set = co_await number_set::make(options);
    const auto insert = [=](std::uint64_t key) -> task<bool> {
      co_return co_await set.insert(key);
    };
    const auto erase = [=](std::uint64_t key) -> task<bool> { co_return co_await set.erase(key); };
    co_await expect_one_change_a_key(count, insert);
    EXPECT_EQ(co_await set.size(), count);
    co_await expect_one_change_a_key(count, erase);
    EXPECT_EQ(co_await set.size(), 0u);
    co_await set.destroy();
  }));
}

TEST_P(hash_tables, a_batch_applies_operations_of_a_key_in_their_order) {
  run([]() -> task<> {
    const auto map = co_await number_map::make(combining_options(combining_mode::local, 1000));
    const auto of_pe = [=]() -> task<> {
      const auto key = static_cast<std::uint64_t>(my_pe()) << 32;
      std::vector<bool> changed(5);
      std::optional<std::uint64_t> before, between, after;
      const auto operations = [&] {
        spawn([&]() -> task<> { before = co_await map.lookup(key); });
        spawn([&]() -> task<> { changed[0] = co_await map.insert(key, 1); });
        spawn([&]() -> task<> { changed[1] = co_await map.insert(key, 2); });
        spawn([&]() -> task<> { between = co_await map.lookup(key); });
        spawn([&]() -> task<> { changed[2] = co_await map.erase(key); });
        spawn([&]() -> task<> { changed[3] = co_await map.erase(key); });
        spawn([&]() -> task<> { changed[4] = co_await map.insert_or_assign(key, 3); });
        spawn([&]() -> task<> { after = co_await map.lookup(key); });
      };
      co_await finish(operations);
      EXPECT_EQ(changed, std::vector<bool>({true, false, true, false, true}));
      EXPECT_EQ(before, std::nullopt);
      EXPECT_EQ(between, 1u);
      EXPECT_EQ(after, 3u);
    };
    co_await on_all_pes(of_pe);
    co_await map.destroy();
  });
}

/// A value of three words. A batch of such values is longer than a message of the test.
struct triple {
  std::uint64_t words[3];
  friend bool operator==(const triple&, const triple&) = default;
};

TEST_P(hash_tables, batches_larger_than_a_message_are_whole) {
  options.buffer_size = 1 << 10;
  run([]() -> task<> {
    using triple_map = global_hash_map<std::uint64_t, triple>;
    const auto map = co_await triple_map::make(combining_options(combining_mode::local, 400));
    const auto insert = [=](std::uint64_t i) -> task<> {
      const bool is_new = co_await map.insert(i, triple{{i, i + 1, i + 2}});
      EXPECT_TRUE(is_new);
    };
    const auto look = [=](std::uint64_t i) -> task<> {
      const auto found = co_await map.lookup(i);
      EXPECT_EQ(found, (triple{{i, i + 1, i + 2}}));
    };
    co_await parallel_for(2000, insert);
    co_await parallel_for(2000, look);
    co_await map.destroy();
  });
}

// Some requests of a batch have a value, and others have none. If a message has requests with and
// without a value, the message has room for a value for each request.
TEST_P(hash_tables, a_batch_mixes_what_has_a_value_and_what_has_none) {
  run([]() -> task<> {
    const auto map = co_await number_map::make(combining_options(combining_mode::local, 100));
    const auto insert_even = [=](std::uint64_t i) -> task<> {
      if (i % 2 == 0) {
        EXPECT_TRUE(co_await map.insert(i, 3 * i));
      } else {
        EXPECT_FALSE(co_await map.erase(i));
      }
    };
    const auto look = [=](std::uint64_t i) -> task<> {
      EXPECT_EQ(co_await map.lookup(i),
                i % 2 == 0 ? std::optional(3 * i) : std::optional<std::uint64_t>());
    };
    co_await parallel_for(2000, insert_even);
    co_await parallel_for(2000, look);
    co_await map.destroy();
  });
}

TEST_P(hash_tables, updates_of_all_pes_are_counted) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const combining_options options(mode, k_small_batch);
    constexpr std::uint64_t keys = 37;
    const auto map = co_await number_map::make(options);
    const auto update = [=](std::uint64_t i) -> task<> {
      const auto add = [](std::uint64_t& at) { ++at; };
      co_await map.insert_or_update(i % keys, 1, add);
      const bool known = co_await map.update(i % keys, add);
      EXPECT_TRUE(known);
      map.async_insert_or_update(i % keys, 1, add);
      map.async_update(i % keys, add);
      map.async_insert(i % keys, 0);
    };
    co_await parallel_for(10 * keys, update);
    for (std::uint64_t key = 0; key < keys; ++key)
      EXPECT_EQ(co_await map.lookup(key), std::optional<std::uint64_t>(40));
    EXPECT_EQ(co_await map.size(), keys);
    co_await map.destroy();
  }));
}

TEST_P(hash_tables, what_is_done_without_waiting_is_there_when_the_scope_ends) {
  run([]() -> task<> {
    const auto set = co_await number_set::make();
    co_await parallel_for(5000, [=](std::uint64_t i) { set.async_insert(i % 2500); });
    EXPECT_EQ(co_await set.size(), 2500u);
    co_await parallel_for(2500, [=](std::uint64_t i) {
      if (i % 2 == 0) set.async_erase(i);
    });
    const auto look = [=](std::uint64_t i) -> task<> {
      const bool there = co_await set.contains(i);
      EXPECT_EQ(there, i % 2 == 1);
    };
    co_await parallel_for(2500, look);
    co_await set.destroy();
  });
}

TEST_P(hash_tables, all_keys_are_visited_and_copied_once) {
  run([]() -> task<> {
    constexpr std::uint64_t count = 1000;
    const auto map = co_await number_map::make();
    co_await map.reserve(count);
    co_await parallel_for(count, [=](std::uint64_t i) { map.async_insert(i, i * i); });
    const auto at_home = [=] {
      map.for_each_local([&](std::uint64_t key, std::uint64_t& value) {
        EXPECT_EQ(map.owner(key), my_pe());
        value += 1;
      });
    };
    co_await on_all_pes(at_home);
    const auto copied = co_await map.snapshot();
    std::vector<number_map::entry> all(count);
    EXPECT_EQ(copied.size(), count);
    co_await get(copied, 0, all);
    std::ranges::sort(all, {}, &number_map::entry::key);
    for (std::uint64_t i = 0; i < count; ++i) {
      EXPECT_EQ(all[i].key, i);
      EXPECT_EQ(all[i].value, i * i + 1);
    }
    co_await copied.destroy();
    co_await map.clear();
    EXPECT_EQ(co_await map.size(), 0u);
    const auto none = co_await map.snapshot();
    EXPECT_EQ(none.size(), 0u);
    co_await none.destroy();
    co_await map.destroy();
  });
}

TEST_P(hash_tables, keys_of_many_bytes_have_their_owners_too) {
  run([]() -> task<> {
    const auto set = co_await global_hash_set<triple>::make();
    const auto insert = [=](std::uint64_t i) -> task<> {
      const bool first = co_await set.insert(triple{{i % 100, 5, i % 100}});
      const bool again = co_await set.insert(triple{{i % 100, 5, i % 100}});
      EXPECT_FALSE(again) << first;
    };
    co_await parallel_for(500, insert);
    EXPECT_EQ(co_await set.size(), 100u);
    co_await set.destroy();
  });
}

TEST_P(hash_tables, equal_lookups_and_inserts_travel_once) {
  // With fewer buffers, PE 0 would wait for room before it has made all requests.
  options.buffers_per_pair = 16;
  run([]() -> task<> {
    if (pes() == 1) co_return;
    const auto set = co_await number_set::make(combining_options(combining_mode::local, 1000));
    const auto asked = co_await make_array<std::uint64_t>(1, placement::symmetric);
    std::uint64_t elsewhere = 0;
    while (set.owner(elsewhere) == my_pe()) ++elsewhere;
    const auto before = this_pe().counters->requests_combined;
    const auto sent_before = this_pe().messages->created();
    const auto all = [&]() -> task<> {
      // The owner of the key handles no message until PE 0 has made all 400 requests. PE 0 must
      // send only few messages, because PE 0 combines equal requests.
      async_call(set.owner(elsewhere), [asked] {
        test::compute_until([=] { return test::shared_word(asked[0]) != 0; });
      });
      for (int i = 0; i < 400; ++i) {
        spawn([&]() -> task<> { co_await set.contains(elsewhere); });
      }
      for (int i = 0; i < 5; ++i) co_await yield();
      test::shared_word(asked[0]) = 1;
    };
    co_await finish(all);
    EXPECT_EQ(this_pe().counters->requests_combined - before, 400u);
    EXPECT_LT(this_pe().messages->created() - sent_before, 40u);
    co_await asked.destroy();
    co_await set.destroy();
  });
}

/// Fills the set with at least `least` of the keys `key_of(i)`, until no memory is left. After the
/// failed insertions, the set must contain all elements for which there was memory.
template <class Set, class KeyOf>
task<> expect_only_what_needs_more_fails(combining_mode mode, std::uint64_t least, KeyOf key_of) {
  const auto set = co_await Set::make(combining_options(mode));
  const auto kept = co_await make_array<std::uint64_t>(2);
  const auto insert_many = [=](std::uint64_t i) -> task<> {
    try {
      co_await set.insert(key_of(i));
      async_fetch_add(kept[0], 1);
    } catch (const error& failure) {
      EXPECT_EQ(failure.code(), errc::out_of_memory);
      async_fetch_add(kept[1], 1);
    }
  };
  const auto insert_next = [=](std::uint64_t round) {
    return parallel_for(20'000, [=](std::uint64_t i) { return insert_many(20'000 * round + i); });
  };
  for (std::uint64_t round = 0; round < 12 && co_await read(kept[1]) == 0; ++round)
    co_await insert_next(round);
  EXPECT_EQ(co_await set.size(), co_await read(kept[0]));
  EXPECT_GT(co_await read(kept[0]), least);
  EXPECT_GT(co_await read(kept[1]), 0u);
  EXPECT_TRUE(co_await set.contains(key_of(0)));
  EXPECT_FALSE(co_await set.erase(key_of(5'000'000)));
  co_await set.destroy();
}

TEST(hash_limits, beyond_the_memory_limit_only_what_needs_more_fails) {
  settings options = test::job_of(2);
  options.memory_limit = 4 << 20;
  for (const combining_mode mode : {combining_mode::none, combining_mode::local}) {
    test::run_on(options, [mode] {
      return expect_only_what_needs_more_fails<number_set>(mode, 50'000,
                                                           [](std::uint64_t i) { return i; });
    });
    test::run_on(options, [mode] {
      return expect_only_what_needs_more_fails<global_hash_set<std::string>>(
          mode, 20'000, [](std::uint64_t i) { return std::to_string(i); });
    });
  }
}

ATOLL_RUN_ON_ALL(hash_tables);

}  // namespace
