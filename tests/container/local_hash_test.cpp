// Compares the hash tables of one PE with those of the standard library.

#include "atoll/local_hash_map.hpp"

#include <gtest/gtest.h>
#include <string>
#include <unordered_map>

namespace atl {
namespace {

struct wide_key {
  std::uint64_t first;
  std::uint32_t second;
  std::uint32_t third;
  friend bool operator==(const wide_key&, const wide_key&) = default;
};

/// A key with few different hash values, so that nearly all keys collide.
struct colliding_key {
  std::uint64_t number;
  friend bool operator==(const colliding_key&, const colliding_key&) = default;
};

/// A key that counts its moves.
struct moving_key {
  static inline std::uint64_t moves = 0;
  std::uint64_t number;

  explicit moving_key(std::uint64_t value) : number(value) {}
  moving_key(const moving_key&) = default;
  moving_key(moving_key&& other) noexcept : number(other.number) { ++moves; }
  friend bool operator==(const moving_key&, const moving_key&) = default;
};

/// A key that throws an exception when it is copied, if its member `too_much` is true.
struct costly_key {
  std::uint64_t number;
  bool too_much = false;

  explicit costly_key(std::uint64_t value, bool wanted = false) : number(value), too_much(wanted) {}
  costly_key(const costly_key& other) : number(other.number), too_much(other.too_much) {
    if (too_much) throw std::bad_alloc();
  }
  costly_key(costly_key&& other) noexcept = default;
  friend bool operator==(const costly_key&, const costly_key&) = default;
};

template <class Key>
Key key_of(std::uint64_t number) {
  if constexpr (std::is_same_v<Key, std::string>) {
    return "a key that is too long to lie in the string itself: " + std::to_string(number);
  } else if constexpr (std::is_same_v<Key, wide_key>) {
    return {number / 16, static_cast<std::uint32_t>(number % 16), 7};
  } else {
    return Key(number);
  }
}

}  // namespace

template <>
struct key_hash<colliding_key> {
  std::uint64_t operator()(const colliding_key& key) const { return key.number % 3 << 8; }
};
template <>
struct key_hash<costly_key> {
  std::uint64_t operator()(const costly_key& key) const { return key.number % 3 << 8; }
};
template <>
struct key_hash<moving_key> {
  std::uint64_t operator()(const moving_key& key) const { return hash(key.number); }
};

namespace {

template <class Types>
class local_hash : public testing::Test {
 protected:
  using key = typename Types::first_type;
  using value = typename Types::second_type;

  static value value_of(std::uint64_t number) {
    if constexpr (std::is_same_v<value, std::string>) {
      return std::to_string(number);
    } else {
      return value(number);
    }
  }

  void step(random_stream& random, std::uint64_t range) {
    const std::uint64_t number = random.below(range);
    const key wanted = key_of<key>(number);
    const value given = value_of(random());
    const auto known = twin.find(number);
    switch (random.below(5)) {
    case 0:
    case 1:
      EXPECT_EQ(*map.insert(wanted, given).first, known == twin.end() ? given : known->second);
      twin.emplace(number, given);
      break;
    case 2:
      EXPECT_EQ(map.insert_or_assign(wanted, given), known == twin.end());
      twin.insert_or_assign(number, given);
      break;
    case 3:
      EXPECT_EQ(map.erase(wanted), twin.erase(number) == 1);
      break;
    default:
      const value* const found = map.find(wanted);
      ASSERT_EQ(found != nullptr, known != twin.end());
      if (found != nullptr) {
        EXPECT_EQ(*found, known->second);
      }
    }
  }

  /// Checks that the table and its model agree about their size and about all keys below `range`.
  void expect_twins(std::uint64_t range) {
    EXPECT_EQ(map.size(), twin.size());
    std::vector<key> keys;
    for (std::uint64_t i = 0; i < range; ++i) keys.push_back(key_of<key>(i));
    std::uint64_t asked = 0;
    map.find_each(keys, [&](std::size_t i, const value* found) {
      ++asked;
      const auto known = twin.find(i);
      ASSERT_EQ(found != nullptr, known != twin.end()) << i;
      if (found != nullptr) {
        EXPECT_EQ(*found, known->second);
      }
    });
    EXPECT_EQ(asked, range);
    std::uint64_t visited = 0;
    map.for_each([&](const key&, value&) { ++visited; });
    EXPECT_EQ(visited, twin.size());
  }

  local_hash_map<key, value> map;
  std::unordered_map<std::uint64_t, value> twin;
};

using kinds =
    testing::Types<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint16_t, std::uint8_t>,
                   std::pair<std::uint32_t, std::uint64_t>, std::pair<wide_key, std::uint64_t>,
                   std::pair<std::uint64_t, std::string>, std::pair<std::string, std::string>>;
TYPED_TEST_SUITE(local_hash, kinds);

TYPED_TEST(local_hash, is_as_the_standard_one) {
  for (const std::uint64_t range : {10u, 500u, 20'000u}) {
    this->map.clear();
    this->twin.clear();
    random_stream random(range);
    for (std::uint64_t i = 0; i < 4 * range + 1000; ++i) this->step(random, range);
    this->expect_twins(range);
  }
}

TYPED_TEST(local_hash, reserving_keeps_what_is_there) {
  random_stream random(3);
  for (int i = 0; i < 3000; ++i) this->step(random, 1000);
  this->map.reserve(50'000);
  this->expect_twins(1000);
  this->map.reserve(10);
  this->expect_twins(1000);
  for (int i = 0; i < 3000; ++i) this->step(random, 1000);
  this->expect_twins(1000);
}

TEST(local_hash_set, says_what_is_new) {
  local_hash_set<std::uint64_t> set;
  EXPECT_FALSE(set.contains(0u));
  EXPECT_FALSE(set.erase(0u));
  EXPECT_TRUE(set.insert(0));
  EXPECT_FALSE(set.insert(0));
  EXPECT_TRUE(set.contains(0u));
  EXPECT_EQ(set.size(), 1u);
  EXPECT_TRUE(set.erase(0u));
  EXPECT_TRUE(set.empty());
}

TEST(local_hash_set, a_string_is_found_by_a_view_of_it) {
  local_hash_set<std::string> set;
  set.insert("one");
  EXPECT_TRUE(set.contains(std::string_view("one")));
  EXPECT_FALSE(set.contains("two"));
  EXPECT_TRUE(set.erase("one"));
}

TEST(local_hash_map, a_string_is_made_of_a_view_of_it_where_it_is_not_there) {
  local_hash_map<std::string, std::string> map;
  const std::string_view key = "a key that is too long to lie in the string itself";
  EXPECT_TRUE(map.insert(key, std::string_view("one")).second);
  EXPECT_FALSE(map.insert(key, "two").second);
  EXPECT_EQ(*map.find(key), "one");
  EXPECT_FALSE(map.insert_or_assign(key, std::string_view("three")));
  EXPECT_EQ(*map.find(key), "three");
  local_hash_map<std::uint64_t, std::string> numbered;
  EXPECT_TRUE(numbered.insert(std::uint64_t{7}, std::string_view("seven")).second);
  EXPECT_EQ(*numbered.find(7u), "seven");
}

TEST(local_hash_set, what_cannot_be_made_changes_nothing) {
  local_hash_set<costly_key> set;
  for (std::uint64_t i = 0; i < 500; ++i) {
    EXPECT_THROW(set.insert(costly_key(i, true)), std::bad_alloc);
    EXPECT_FALSE(set.contains(costly_key(i)));
    EXPECT_TRUE(set.insert(costly_key(i)));
    EXPECT_EQ(set.size(), i + 1);
  }
  for (std::uint64_t i = 0; i < 500; ++i) EXPECT_TRUE(set.erase(costly_key(i)));
  EXPECT_TRUE(set.empty());
}

TEST(local_hash_set, keys_that_collide_are_all_there) {
  local_hash_set<colliding_key> set;
  for (std::uint64_t i = 0; i < 3000; ++i) EXPECT_TRUE(set.insert({i}));
  for (std::uint64_t i = 0; i < 3000; i += 2) EXPECT_TRUE(set.erase(colliding_key{i}));
  for (std::uint64_t i = 0; i < 3000; ++i)
    EXPECT_EQ(set.contains(colliding_key{i}), i % 2 == 1) << i;
  EXPECT_EQ(set.size(), 1500u);
}

TEST(local_hash_set, an_insert_moves_a_block_at_most) {
  local_hash_set<moving_key> set;
  std::uint64_t most = 0;
  for (std::uint64_t i = 0; i < 300'000; ++i) {
    moving_key::moves = 0;
    set.insert(moving_key(i));
    most = std::max(most, moving_key::moves);
  }
  EXPECT_GT(most, 50u);  // The table must have grown.
  EXPECT_LT(most, 600u);
}

TEST(local_hash_set, nothing_moves_into_reserved_memory) {
  constexpr std::uint64_t count = 300'000;
  local_hash_set<moving_key> set;
  set.reserve(count);
  const std::size_t bytes = set.bytes();
  moving_key::moves = 0;
  for (std::uint64_t i = 0; i < count; ++i) set.insert(moving_key(i));
  EXPECT_LT(moving_key::moves, 1000u);
  EXPECT_LE(set.bytes(), bytes + bytes / 4);
}

TEST(local_hash_set, a_key_of_8_bytes_takes_24_at_most) {
  local_hash_set<std::uint64_t> set;
  for (std::uint64_t i = 0; i < 3 << 19; ++i) {
    set.insert(i);
    if (set.size() >= 1 << 20 && i % 4096 == 0) {
      ASSERT_LE(set.bytes(), 24 * set.size()) << set.size();
    }
  }
}

TEST(local_hash_set, is_empty_again_and_without_memory) {
  local_hash_set<std::uint64_t> set;
  EXPECT_EQ(set.bytes(), 0u);
  for (std::uint64_t i = 0; i < 10'000; ++i) set.insert(i);
  EXPECT_GT(set.bytes(), 10'000 * sizeof(std::uint64_t));
  set.clear();
  EXPECT_EQ(set.bytes(), 0u);
  EXPECT_EQ(set.size(), 0u);
  EXPECT_FALSE(set.contains(5u));
  EXPECT_TRUE(set.insert(5));
}

}  // namespace
}  // namespace atl
