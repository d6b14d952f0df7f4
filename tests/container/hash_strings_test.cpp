// Tests global sets and maps with keys and values that own memory, in all modes.

#include "container/combining_modes.hpp"
#include "container/error_of.hpp"
#include "support/run_on.hpp"

#include <map>

using namespace atl;

namespace {

using string_set = global_hash_set<std::string>;
using string_map = global_hash_map<std::string, std::string>;
using string_counts = global_hash_map<std::string, std::uint64_t>;
using numbered_strings = global_hash_map<std::uint64_t, std::string>;

class hash_strings : public test::on_pes {};

// The batch is small, so that there are many batches.
constexpr std::uint64_t k_batch_of_strings = 50;

/// Returns a text for a number. The text is empty, one byte long, stored inside the string object,
/// or stored outside it. Equal numbers have equal texts.
std::string text_of(std::uint64_t number) {
  constexpr std::size_t k_lengths[] = {1, 2, 15, 16, 17, 40, 300};
  if (number == 0) return {};
  std::string text = std::to_string(number);
  text.resize(std::max(text.size(), k_lengths[number % std::size(k_lengths)]), '.');
  return text;
}

using strings_twin = std::map<std::string, std::string>;

/// Executes an operation on the map and on its model, and compares the results.
task<> do_on_both_of_strings(string_map map, strings_twin& twin, random_stream& random) {
  const std::string key = text_of(random.below(40));
  const std::string value = text_of(random.below(1000));
  const bool known = twin.contains(key);
  const auto lengthen = [](std::string& at) { at += '+'; };
  switch (random.below(6)) {
  case 0:
    EXPECT_EQ(co_await map.insert(key, value), !known);
    twin.emplace(key, value);
    break;
  case 1:
    EXPECT_EQ(co_await map.insert_or_assign(std::string_view(key), value), !known);
    twin[key] = value;
    break;
  case 2:
    EXPECT_EQ(co_await map.erase(key), known);
    twin.erase(key);
    break;
  case 3:
    EXPECT_EQ(co_await map.update(key, lengthen), known);
    if (known) twin[key] += '+';
    break;
  case 4:
    EXPECT_EQ(co_await map.insert_or_update(key, value, lengthen), !known);
    twin[key] = known ? twin[key] + '+' : value;
    break;
  default:
    const auto found = co_await map.lookup(std::string_view(key));
    EXPECT_EQ(found.has_value(), known);
    EXPECT_EQ(found.value_or(""), known ? twin[key] : "");
  }
}

TEST_P(hash_strings, one_task_sees_its_own_order) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const auto map = co_await string_map::make(combining_options(mode, k_batch_of_strings));
    strings_twin twin;
    random_stream random(3);
    for (int i = 0; i < 400; ++i) co_await do_on_both_of_strings(map, twin, random);
    EXPECT_EQ(co_await map.size(), twin.size());
    co_await map.clear();
    EXPECT_EQ(co_await map.size(), 0u);
    co_await map.destroy();
  }));
}

TEST_P(hash_strings, are_given_as_temporaries_and_as_literals) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const auto map = co_await string_map::make(combining_options(mode));
    EXPECT_TRUE(co_await map.insert("one", "1"));
    EXPECT_FALSE(co_await map.insert(std::string("one"), std::string(100, '2')));
    EXPECT_TRUE(co_await map.insert(std::string(100, 'x'), std::string(100, 'y')));
    EXPECT_EQ(co_await map.lookup("one"), "1");
    EXPECT_EQ(co_await map.lookup(std::string(100, 'x')), std::string(100, 'y'));
    EXPECT_FALSE(co_await map.insert_or_assign("one", std::string(50, 'z')));
    EXPECT_EQ(co_await map.lookup(std::string("one")), std::string(50, 'z'));
    EXPECT_TRUE(co_await map.erase("one"));
    EXPECT_FALSE(co_await map.erase(std::string(99, 'x')));
    EXPECT_EQ(map.owner("one"), map.owner(std::string("one")));
    co_await map.destroy();
  }));
}

/// All PEs insert all keys, and then erase all keys. For each key, exactly one PE must succeed.
TEST_P(hash_strings, one_of_many_inserts_and_erasures_of_a_key_does_it) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const std::uint64_t count = test::sanitized ? 100 : 600;
    const auto set = co_await string_set::make(combining_options(mode, k_batch_of_strings));
    const auto done = co_await make_array<std::uint64_t>(2);
    const auto insert = [=](std::uint64_t i) -> task<> {
      if (co_await set.insert(text_of(i % count))) async_fetch_add(done[0], 1);
    };
    const auto erase = [=](std::uint64_t i) -> task<> {
      if (co_await set.erase(text_of(i % count))) async_fetch_add(done[1], 1);
    };
    co_await parallel_for(5 * count, insert);
    EXPECT_EQ(co_await set.size(), count);
    EXPECT_EQ(co_await read(done[0]), count);
    co_await parallel_for(5 * count, erase);
    EXPECT_EQ(co_await set.size(), 0u);
    EXPECT_EQ(co_await read(done[1]), count);
    co_await done.destroy();
    co_await set.destroy();
  }));
}

TEST_P(hash_strings, a_batch_applies_operations_of_a_key_in_their_order) {
  run([]() -> task<> {
    const auto map = co_await string_map::make(combining_options(combining_mode::local, 1000));
    const auto of_pe = [=]() -> task<> {
      const std::string key = "the key of PE " + std::to_string(my_pe());
      std::vector<bool> changed(4);
      std::optional<std::string> before, between, again, after;
      const auto operations = [&] {
        spawn([&]() -> task<> { before = co_await map.lookup(key); });
        spawn([&]() -> task<> { changed[0] = co_await map.insert(key, "first"); });
        spawn([&]() -> task<> { changed[1] = co_await map.insert(key, "second"); });
        spawn([&]() -> task<> { between = co_await map.lookup(key); });
        spawn([&]() -> task<> { again = co_await map.lookup(key); });
        spawn([&]() -> task<> { changed[2] = co_await map.erase(key); });
        spawn([&]() -> task<> { changed[3] = co_await map.insert_or_assign(key, "third"); });
        spawn([&]() -> task<> { after = co_await map.lookup(key); });
      };
      co_await finish(operations);
      EXPECT_EQ(changed, std::vector<bool>({true, false, true, true}));
      EXPECT_EQ(before, std::nullopt);
      EXPECT_EQ(between, "first");
      EXPECT_EQ(again, "first");
      EXPECT_EQ(after, "third");
    };
    co_await on_all_pes(of_pe);
    co_await map.destroy();
  });
}

TEST_P(hash_strings, batches_and_their_answers_larger_than_a_message_are_whole) {
  options.buffer_size = 1 << 10;
  run([]() -> task<> {
    const auto map = co_await numbered_strings::make(combining_options(combining_mode::local, 400));
    const auto value = [](std::uint64_t i) { return std::string(i % 600, 'v') + text_of(i); };
    const auto insert = [=](std::uint64_t i) -> task<> {
      const bool is_new = co_await map.insert(i, value(i));
      EXPECT_TRUE(is_new);
    };
    const auto look = [=](std::uint64_t i) -> task<> {
      const auto found = co_await map.lookup(i % 1600);
      EXPECT_EQ(found, value(i % 1600));
    };
    co_await parallel_for(1600, insert);
    co_await parallel_for(3200, look);
    co_await map.destroy();
  });
}

TEST_P(hash_strings, updates_of_all_pes_are_counted) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    constexpr std::uint64_t keys = 37;
    const auto counts = co_await string_counts::make(combining_options(mode, k_batch_of_strings));
    const auto update = [=](std::uint64_t i) -> task<> {
      const auto add = [](std::uint64_t& at) { ++at; };
      const std::string key = text_of(i % keys);
      co_await counts.insert_or_update(key, 1, add);
      const bool known = co_await counts.update(key, add);
      EXPECT_TRUE(known);
      counts.async_insert_or_update(key, 1, add);
      counts.async_update(key, add);
      counts.async_insert(key, 0);
    };
    co_await parallel_for(10 * keys, update);
    for (std::uint64_t key = 0; key < keys; ++key)
      EXPECT_EQ(co_await counts.lookup(text_of(key)), std::optional<std::uint64_t>(40));
    EXPECT_EQ(co_await counts.size(), keys);
    co_await counts.destroy();
  }));
}

TEST_P(hash_strings, are_found_while_the_table_grows_and_visited_once) {
  run([]() -> task<> {
    const std::uint64_t count = test::sanitized ? 2000 : 10'000;
    const auto map = co_await string_map::make();
    const auto insert_and_look = [=](std::uint64_t i) -> task<> {
      map.async_insert(text_of(i), text_of(i + 1));
      const std::string own = "own " + text_of(i);
      co_await map.insert(own, own);
      const auto found = co_await map.lookup(own);
      EXPECT_EQ(found, own);
      const bool erased = co_await map.erase(own);
      EXPECT_TRUE(erased);
    };
    co_await parallel_for(count, insert_and_look);
    EXPECT_EQ(co_await map.size(), count);
    const auto visits = co_await make_array<std::uint64_t>(count);
    const auto visit = [=] {
      map.for_each_local([&](const std::string& key, std::string& value) {
        EXPECT_EQ(map.owner(key), my_pe());
        const std::uint64_t number = key.empty() ? 0 : std::stoull(key);
        EXPECT_EQ(key, text_of(number));
        EXPECT_EQ(value, text_of(number + 1));
        async_fetch_add(visits[number], 1);
      });
    };
    co_await on_all_pes(visit);
    co_await for_each(visits, [](std::uint64_t, std::uint64_t& times) { EXPECT_EQ(times, 1u); });
    co_await visits.destroy();
    co_await map.destroy();
  });
}

/// Returns the length of the longest value that fits into one message with `key`.
std::uint64_t longest_beside(const std::string& key) {
  using questions = container::hash_questions<std::string, std::string>;
  return questions::payload_capacity() - 1 - key.size() - 2 * sizeof(message::packed_length);
}

TEST_P(hash_strings, as_long_as_a_message_are_taken_and_longer_ones_refused_alone) {
  options.buffer_size = 1 << 10;
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const auto map = co_await string_map::make(combining_options(mode));
    const auto use = [=](std::uint64_t i) -> task<> {
      const std::string key = text_of(i);
      const std::uint64_t most = longest_beside(key);
      // Each value is as long as possible in one message, one byte shorter, or one byte longer.
      const std::uint64_t length = most + i % 3 - 1;
      const auto insert = [&] { return map.insert(key, std::string(length, 'x')); };
      const auto refused = co_await test::error_of(insert);
      EXPECT_EQ(refused.has_value(), length > most);
      if (refused) {
        EXPECT_EQ(refused->code(), errc::input);
        EXPECT_NE(std::string_view(refused->what()).find("1024"), std::string::npos);
      }
      const auto found = co_await map.lookup(key);
      EXPECT_EQ(found.has_value(), length <= most);
      EXPECT_EQ(found.value_or("").size(), length <= most ? length : 0);
    };
    co_await parallel_for(90, use);
    EXPECT_EQ(co_await map.size(), 60u);
    co_await map.destroy();
  }));
}

TEST_P(hash_strings, that_updates_made_longer_than_a_message_stay_where_they_are) {
  options.buffer_size = 1 << 10;
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    const auto map = co_await string_map::make(combining_options(mode));
    const auto enlarge = [](std::string& at) { at.append(2000, 'x'); };
    const auto use = [=](std::uint64_t i) -> task<> {
      const std::string key = text_of(i);
      co_await map.insert(key, "short");
      if (i % 2 == 0) co_await map.update(key, enlarge);
      std::size_t length = 0;
      const auto look = [&]() -> task<> { length = (co_await map.lookup(key))->size(); };
      const auto refused = co_await test::error_of(look);
      const bool is_refused = i % 2 == 0 && map.owner(key) != my_pe();
      EXPECT_EQ(refused.has_value(), is_refused);
      if (refused) {
        EXPECT_EQ(refused->code(), errc::input) << refused->what();
      }
      EXPECT_EQ(length, is_refused ? 0u : i % 2 == 0 ? 2005u : 5u);
      const bool erased = co_await map.erase(key);
      EXPECT_TRUE(erased);
    };
    co_await parallel_for(60, use);
    co_await map.destroy();
  }));
}

ATOLL_RUN_ON_ALL(hash_strings);

}  // namespace
