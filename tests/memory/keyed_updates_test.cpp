// Each update by key is executed once, on the element that its key selects, for all kinds of arrays
// and keys. A scope that has issued an update must wait for the update.

#include "support/refusal.hpp"
#include "support/run_on.hpp"

#include <array>

using namespace atl;

namespace {

class keyed_updates_of_arrays : public test::on_pes {};

using words = global_array<std::uint64_t>;

constexpr auto add_one = [](std::uint64_t& word, std::uint64_t) noexcept { ++word; };
constexpr auto itself = [](std::uint64_t key) noexcept { return key; };

/// An array with this many words per PE is divided into ranges, and the sender collects the updates
/// of each range in a bin.
constexpr std::uint64_t k_large = 2 << 20;

/// Returns keys that are far apart from each other, beginning with 0.
struct spread {
  std::uint64_t factor;
  std::uint64_t operator()(std::uint64_t key) const noexcept { return key * factor; }
};

/// Checks that every word of this PE holds `expected(its index)`. Every PE calls this function.
template <class Expected>
void expect_words(const words& array, const Expected& expected) {
  const auto mine = array.local();
  for (std::uint64_t k = 0; k < mine.size(); ++k) {
    const std::uint64_t i = array.index_of_local(k);
    if (mine[k] != expected(i)) FAIL() << mine[k] << " for element " << i;
  }
}

/// Lets each PE add one to each of `size` words, twice, and checks all words. The array has blocks
/// of `block` words.
task<> count_all(std::uint64_t size, std::uint64_t block) {
  const words array = co_await make_array<std::uint64_t>(size, block);
  const auto part = [=]() -> task<> {
    const auto issue = [=]() -> task<> {
      auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
      for (int round = 0; round < 2; ++round) {
        updates.issue(size, [key = std::uint64_t{0}]() mutable { return key++; });
        co_await yield();
      }
    };
    co_await finish(issue);
    co_await all_barrier();
    expect_words(array, [](std::uint64_t) { return static_cast<std::uint64_t>(2 * pes()); });
  };
  co_await on_all_pes(part);
  co_await array.destroy();
}

/// Each PE adds one to each of `keys` words that are spread over the array. Every update must be
/// executed exactly once, on the right word.
task<> count_spread(std::uint64_t size, std::uint64_t block, std::uint64_t keys = 20'000) {
  const words array = co_await make_array<std::uint64_t>(size, block);
  const auto part = [=]() -> task<> {
    const spread index{size / keys};
    const auto issue = [=] {
      auto updates = updates_by_key<std::uint64_t>(array, index, add_one);
      updates.issue(keys, [key = std::uint64_t{0}]() mutable { return key++; });
    };
    co_await finish(issue);
    co_await all_barrier();
    const auto all = static_cast<std::uint64_t>(pes());
    expect_words(array, [=](std::uint64_t i) {
      return i % index.factor == 0 && i / index.factor < keys ? all : 0;
    });
  };
  co_await on_all_pes(part);
  co_await array.destroy();
}

TEST_P(keyed_updates_of_arrays, land_once_on_one_block_a_pe) {
  run([] { return count_all(1000, 0); });
}

TEST_P(keyed_updates_of_arrays, land_once_where_owners_are_found_by_a_shift) {
  run([] { return count_all(static_cast<std::uint64_t>(pes()) * 512, 0); });
}

TEST_P(keyed_updates_of_arrays, land_once_where_the_last_pes_have_nothing) {
  run([] { return count_all(5, 0); });
}

TEST_P(keyed_updates_of_arrays, land_once_on_blocks_dealt_in_turn) {
  run([] { return count_all(1000, 7); });
}

TEST_P(keyed_updates_of_arrays, land_once_on_blocks_of_a_power_of_two_dealt_in_turn) {
  run([] { return count_all(1000, 8); });
}

TEST_P(keyed_updates_of_arrays, land_once_where_nothing_is_aggregated) {
  options.aggregation = false;
  run([]() -> task<> {
    co_await count_all(50, 0);
    co_await count_spread(k_large * static_cast<std::uint64_t>(pes()), 0, 50);
  });
}

TEST_P(keyed_updates_of_arrays, land_once_on_large_arrays) {
  run([]() -> task<> {
    const std::uint64_t size = k_large * static_cast<std::uint64_t>(pes());
    co_await count_spread(size, 0);
    co_await count_spread(size + 12'345, 0);
    co_await count_spread(size, 7);
    co_await count_spread(size, 4096);
  });
}

/// A key of several bytes, which must arrive unchanged at any alignment.
struct addition {
  std::uint8_t index;
  std::uint8_t padding[2];
  std::uint8_t term;
};
struct odd_addition {
  std::uint32_t index;
  std::uint32_t term;
  std::uint32_t factor;
};
struct wide_addition {
  std::uint64_t index;
  std::uint64_t term;
  std::uint32_t factor;
};

template <class Key>
task<> add_terms(std::uint64_t size, Key (*key_of)(std::uint64_t)) {
  const words array = co_await make_array<std::uint64_t>(size);
  const std::uint64_t step = size / 100;
  const auto part = [=]() -> task<> {
    const auto issue = [=] {
      const auto index = [=](const Key& key) noexcept { return step * key.index; };
      const auto add = [](std::uint64_t& word, const Key& key) noexcept { word += key.term; };
      auto updates = updates_by_key<Key>(array, index, add);
      for (int round = 0; round < 20; ++round)
        for (std::uint64_t i = 0; i < 100; ++i) updates.issue(key_of(i));
    };
    co_await finish(issue);
    co_await all_barrier();
    expect_words(array, [=](std::uint64_t i) {
      const bool is_meant = i % step == 0 && i / step < 100;
      return is_meant ? 20 * (2 * (i / step) + 1) * std::uint64_t(pes()) : 0;
    });
  };
  co_await on_all_pes(part);
  co_await array.destroy();
}

task<> add_by_keys_of_all_sizes(std::uint64_t size) {
  co_await add_terms<addition>(size, [](std::uint64_t i) {
    return addition{static_cast<std::uint8_t>(i), {}, static_cast<std::uint8_t>(2 * i + 1)};
  });
  co_await add_terms<odd_addition>(size, [](std::uint64_t i) {
    const auto index = static_cast<std::uint32_t>(i);
    return odd_addition{index, 2 * index + 1, 7};
  });
  co_await add_terms<wide_addition>(size,
                                    [](std::uint64_t i) { return wide_addition{i, 2 * i + 1, 7}; });
}

TEST_P(keyed_updates_of_arrays, take_keys_smaller_and_larger_than_a_word) {
  run([]() -> task<> {
    co_await add_by_keys_of_all_sizes(100);
    co_await add_by_keys_of_all_sizes(k_large * static_cast<std::uint64_t>(pes()));
  });
}

// Messages of alternating functions form short runs, which the buffer stores in chunks.
TEST_P(keyed_updates_of_arrays, land_once_among_messages_of_other_kinds) {
  run([]() -> task<> {
    const std::uint64_t size = k_large * static_cast<std::uint64_t>(pes());
    const words array = co_await make_array<std::uint64_t>(size);
    constexpr std::uint64_t keys = 10'000;
    const spread index{size / keys};
    const auto part = [=]() -> task<> {
      const auto issue = [=] {
        auto updates = updates_by_key<std::uint64_t>(array, index, add_one);
        for (std::uint64_t key = 0; key < keys; ++key) {
          updates.issue(key);
          async_fetch_add(array[index(key)], std::uint64_t{1'000});
          async_update(array[index(key)], [](std::uint64_t& word) { word += 1'000'000; });
        }
      };
      co_await finish(issue);
      co_await all_barrier();
      expect_words(array, [=](std::uint64_t i) {
        const bool is_meant = i % index.factor == 0 && i / index.factor < keys;
        return is_meant ? 1'001'001 * static_cast<std::uint64_t>(pes()) : 0;
      });
    };
    co_await on_all_pes(part);
    co_await array.destroy();
  });
}

/// Adds to 64 words of an array by several updates_by_key objects. The objects take turns, so each
/// update ends the run of messages of the previous object.
task<> add_by_several_objects(std::uint64_t size) {
  const words array = co_await make_array<std::uint64_t>(size);
  const spread index{size / 64};
  const auto part = [=]() -> task<> {
    const auto issue = [=] {
      const auto adding = [=](std::uint64_t term) {
        return updates_by_key<std::uint64_t>(
            array, index, [term](std::uint64_t& word, std::uint64_t) noexcept { word += term; });
      };
      auto ones = adding(1);
      auto hundreds = adding(100);
      for (std::uint64_t i = 0; i < 64; ++i) {
        ones.issue(i);
        hundreds.issue(i);
        auto thousands = adding(10'000 * (i + 1));
        thousands.issue(i);
        async_fetch_add(array[index(i)], std::uint64_t{1'000'000'000});
      }
    };
    co_await finish(issue);
    co_await all_barrier();
    expect_words(array, [=](std::uint64_t i) {
      const std::uint64_t key = i / index.factor;
      const bool is_meant = i % index.factor == 0 && key < 64;
      return is_meant ? (1'000'000'101 + 10'000 * (key + 1)) * std::uint64_t(pes()) : 0;
    });
  };
  co_await on_all_pes(part);
  co_await array.destroy();
}

// Several updates_by_key objects have the same type, but their functions have different captures.
// Messages of different objects must not be combined in one run. Even if an object occupies the
// memory of a destroyed object, the messages of the two objects must not be combined.
TEST_P(keyed_updates_of_arrays, of_several_objects_keep_apart) {
  run([]() -> task<> {
    co_await add_by_several_objects(64);
    co_await add_by_several_objects(k_large * static_cast<std::uint64_t>(pes()));
  });
}

/// Checks that the elements with the first 64 keys hold `expected`.
task<> expect_each(words array, spread index, std::uint64_t expected) {
  for (std::uint64_t i = 0; i < 64; ++i) {
    const std::uint64_t seen = co_await read(array[index(i)]);
    EXPECT_EQ(seen, expected);
  }
}

task<> update_in_scopes(std::uint64_t size) {
  const words array = co_await make_array<std::uint64_t>(size);
  const spread index{size / 64};
  auto updates = updates_by_key<std::uint64_t>(array, index, add_one);
  const auto all = [&] { updates.issue(64, [key = std::uint64_t{0}]() mutable { return key++; }); };
  const auto outer = [&]() -> task<> {
    for (std::uint64_t round = 0; round < 5; ++round) {
      all();
      co_await finish(all);
      for (std::uint64_t i = 0; i < 64; ++i) {
        const std::uint64_t seen = co_await read(array[index(i)]);
        EXPECT_GE(seen, round + 1);
      }
    }
  };
  co_await finish(outer);
  co_await expect_each(array, index, 10);
  co_await array.destroy();
}

// One object issues updates in nested scopes. Each scope waits for its own updates, the inner
// scope first.
TEST_P(keyed_updates_of_arrays, belong_to_the_scope_that_issues_them) {
  run([]() -> task<> {
    co_await update_in_scopes(64);
    co_await update_in_scopes(k_large * static_cast<std::uint64_t>(pes()));
  });
}

task<> update_in_handlers(std::uint64_t size) {
  const words array = co_await make_array<std::uint64_t>(size);
  const spread index{size / 64};
  const auto issue = [=] {
    for (int pe = 0; pe < pes(); ++pe) {
      async_call(pe, [array, index] {
        auto updates = updates_by_key<std::uint64_t>(array, index, add_one);
        std::uint64_t key = 0;
        updates.issue(64, [&] {
          updates.issue(key);
          async_fetch_add(array[index(key)], std::uint64_t{100});
          return key++;
        });
      });
    }
  };
  for (int round = 0; round < 3; ++round) co_await finish(issue);
  co_await expect_each(array, index, static_cast<std::uint64_t>(3 * pes() * 102));
  co_await array.destroy();
}

TEST_P(keyed_updates_of_arrays, may_be_issued_by_handlers_and_while_keys_are_made) {
  run([]() -> task<> {
    co_await update_in_handlers(64);
    co_await update_in_handlers(k_large * static_cast<std::uint64_t>(pes()));
  });
}

TEST_P(keyed_updates_of_arrays, before_one_that_is_refused_land) {
  run([]() -> task<> {
    const words array = co_await make_array<std::uint64_t>(64);
    const auto issue = [=] {
      auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
      std::uint64_t key = 0;
      (void)test::refusal_of([&] { updates.issue(100, [&] { return key++; }); });
      EXPECT_EQ(key, 65u);
      updates.issue(63);
    };
    co_await finish(issue);
    for (std::uint64_t i = 0; i < 64; ++i) {
      const std::uint64_t seen = co_await read(array[i]);
      EXPECT_EQ(seen, i == 63 ? 2u : 1u);
    }
    co_await array.destroy();
  });
}

/// Opens scopes in which no update is issued: the number of keys is 0, the index is too large, or
/// the key function throws. The last scope issues one update.
task<> issue_nothing(std::uint64_t size) {
  const words array = co_await make_array<std::uint64_t>(size);
  auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
  const auto no_key = [&] { updates.issue(0, [] { return std::uint64_t{0}; }); };
  co_await finish(no_key);
  const auto refused = [&] { (void)test::refusal_of([&] { updates.issue(size); }); };
  co_await finish(refused);
  const auto given_up = [&] {
    EXPECT_THROW(updates.issue(1, []() -> std::uint64_t { throw 7; }), int);
  };
  co_await finish(given_up);
  const auto one = [&] { updates.issue(size - 1); };
  co_await finish(one);
  const std::uint64_t last = co_await read(array[size - 1]);
  EXPECT_EQ(last, 1u);
  co_await array.destroy();
}

TEST_P(keyed_updates_of_arrays, that_are_none_keep_no_scope_open) {
  run([]() -> task<> {
    co_await issue_nothing(64);
    co_await issue_nothing(k_large * static_cast<std::uint64_t>(pes()));
  });
}

TEST_P(keyed_updates_of_arrays, beyond_the_array_are_refused) {
  run([]() -> task<> {
    const std::uint64_t full = 64 * static_cast<std::uint64_t>(pes());
    const std::uint64_t large = k_large * static_cast<std::uint64_t>(pes());
    for (const std::uint64_t size : {full, full - 1, std::uint64_t{37}, large}) {
      const words array = co_await make_array<std::uint64_t>(size);
      auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
      const auto issue = [&] {
        updates.issue(size - 1);
        const std::string beyond = test::refusal_of([&] { updates.issue(size); });
        EXPECT_NE(beyond.find(fmt::format("{}", size)), std::string::npos) << beyond;
        const std::string far = test::refusal_of([&] { updates.issue(std::uint64_t{1} << 63); });
        EXPECT_NE(far.find("9223372036854775808"), std::string::npos) << far;
      };
      co_await finish(issue);
      const std::uint64_t last = co_await read(array[size - 1]);
      EXPECT_EQ(last, 1u);
      co_await array.destroy();
    }
  });
}

ATOLL_RUN_ON_ALL(keyed_updates_of_arrays);

}  // namespace
