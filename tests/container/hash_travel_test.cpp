// Tests global sets and maps with types that serialise themselves. In some tests, the receiver
// lacks memory for a value.

#include "container/error_of.hpp"
#include "support/run_on.hpp"

using namespace atl;

namespace {

/// A list of numbers that owns its memory and serialises itself. The list serves as a key and as a
/// value.
struct number_list {
  std::vector<std::uint32_t> all;
  friend bool operator==(const number_list&, const number_list&) = default;
};

/// A word that serialises itself. For one particular value, allocation fails on the receiving PE.
struct costly_word {
  static constexpr std::string_view k_too_much = "too much";
  std::string text;
  friend bool operator==(const costly_word&, const costly_word&) = default;
};

}  // namespace

template <>
struct atl::serialization<number_list> {
  using list = serialization<std::vector<std::uint32_t>>;
  static std::size_t bytes(const number_list& value) { return list::bytes(value.all); }
  static void write(const number_list& value, std::span<std::byte> to) {
    list::write(value.all, to);
  }
  static number_list read(std::span<const std::byte> from) { return {list::read(from)}; }
};

template <>
struct atl::key_hash<number_list> {
  std::uint64_t operator()(const number_list& key) const {
    return container::hash_of_bytes(key.all.data(), key.all.size() * sizeof(key.all[0]));
  }
};

template <>
struct atl::serialization<costly_word> {
  static std::size_t bytes(const costly_word& value) { return value.text.size(); }
  static void write(const costly_word& value, std::span<std::byte> to) {
    serialization<std::string>::write(value.text, to);
  }
  static costly_word read(std::span<const std::byte> from) {
    costly_word made{serialization<std::string>::read(from)};
    if (made.text == costly_word::k_too_much) throw std::bad_alloc();
    return made;
  }
};

namespace {

class hash_travel : public test::on_pes {};

constexpr std::uint64_t k_travel_batch = 50;  // The batch is small, so that there are many batches.

/// Returns short texts, which are stored inside the string object, and long texts, which are stored
/// outside.
std::string dotted(std::uint64_t number) {
  return std::string(number % 40, '.') + std::to_string(number);
}

TEST_P(hash_travel, keys_and_values_may_be_of_a_type_of_ones_own) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    using lists = global_hash_map<number_list, number_list>;
    const auto map = co_await lists::make(combining_options(mode, k_travel_batch));
    const auto list_of = [](std::uint64_t i) {
      return number_list{std::vector<std::uint32_t>(i % 50, static_cast<std::uint32_t>(i))};
    };
    const auto use = [=](std::uint64_t i) -> task<> {
      const number_list key = list_of(i);
      const number_list value = list_of(i + 1);
      co_await map.insert(key, value);
      const auto found = co_await map.lookup(key);
      EXPECT_TRUE(found.has_value());
      co_await map.update(key, [](number_list& at) { at.all.push_back(0); });
      map.async_insert(value, key);
    };
    co_await parallel_for(300, use);
    // All lists without numbers are equal, so they are a single key.
    EXPECT_EQ(co_await map.size(), 294u + 1);
    co_await map.destroy();
  }));
}

TEST_P(hash_travel, what_has_no_memory_where_the_key_is_fails_alone) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    using words = global_hash_map<std::uint64_t, costly_word>;
    const auto map = co_await words::make(combining_options(mode));
    const auto use = [=](std::uint64_t i) -> task<> {
      const bool fails = i % 7 == 3;
      const costly_word value{fails ? std::string(costly_word::k_too_much) : dotted(i)};
      const auto insert = [&] { return map.insert(i, value); };
      const auto refused = co_await test::error_of(insert);
      EXPECT_EQ(refused.has_value(), fails && map.owner(i) != my_pe());
      if (refused) {
        EXPECT_EQ(refused->code(), errc::out_of_memory) << refused->what();
      }
    };
    co_await parallel_for(350, use);
    const auto look = [=](std::uint64_t i) -> task<> {
      if (i % 7 == 3) co_return;
      const auto found = co_await map.lookup(i);
      EXPECT_EQ(found, (costly_word{dotted(i)}));
    };
    co_await parallel_for(350, look);
    co_await map.destroy();
  }));
}

TEST_P(hash_travel, what_has_no_memory_where_it_was_asked_for_fails_alone) {
  run(test::in_all_modes([](combining_mode mode) -> task<> {
    using words = global_hash_map<std::uint64_t, costly_word>;
    const auto map = co_await words::make(combining_options(mode));
    const auto insert = [=](std::uint64_t i) { map.async_insert(i, costly_word{dotted(i)}); };
    co_await parallel_for(350, insert);
    const auto spoil = [=](std::uint64_t i) -> task<> {
      if (i % 7 == 3)
        co_await map.update(i, [](costly_word& at) { at.text = costly_word::k_too_much; });
    };
    co_await parallel_for(350, spoil);
    const auto look = [=](std::uint64_t i) -> task<> {
      std::optional<costly_word> found;
      const auto asked = [&]() -> task<> { found = co_await map.lookup(i); };
      const auto refused = co_await test::error_of(asked);
      EXPECT_EQ(refused.has_value(), i % 7 == 3 && map.owner(i) != my_pe());
      if (i % 7 == 3) co_return;
      EXPECT_EQ(found, (costly_word{dotted(i)}));
    };
    co_await parallel_for(350, look);
    co_await map.destroy();
  }));
}

ATOLL_RUN_ON_ALL(hash_travel);

}  // namespace
