// Tests payloads of several values, and the functions that a user-defined type must provide for
// this.

#include "atoll/message/packing.hpp"

#include <gtest/gtest.h>

namespace atl {
namespace {

/// A type that owns memory.
struct shelf {
  std::string name;
  std::vector<std::uint16_t> books;
  friend bool operator==(const shelf&, const shelf&) = default;
};

struct no_data {};

}  // namespace

template <>
struct serialization<shelf> {
  using books = std::vector<std::uint16_t>;

  static std::size_t bytes(const shelf& value) {
    return message::packed_bytes<std::string>(value.name) +
           message::packed_bytes<books>(value.books);
  }
  static void write(const shelf& value, std::span<std::byte> to) {
    message::pack<books>(message::pack<std::string>(to.data(), value.name), value.books);
  }
  static shelf read(std::span<const std::byte> from) {
    message::unpacker parts(from);
    std::string name(parts.next<std::string>());
    return {std::move(name), parts.next<books>()};
  }
};

namespace {

template <class... Values>
std::vector<std::byte> packed(const Values&... values) {
  std::vector<std::byte> row((message::packed_bytes<Values>(values) + ...));
  std::byte* at = row.data();
  ((at = message::pack<Values>(at, values)), ...);
  EXPECT_EQ(at, row.data() + row.size());
  return row;
}

TEST(packing, values_come_out_in_the_order_in_which_they_went_in) {
  const shelf given{"poetry", {1, 2, 3}};
  const auto row = packed(std::uint8_t{7}, std::string("seven"), no_data(), std::string(),
                          std::vector<double>{0.5, 2}, given, std::uint64_t{9});
  message::unpacker from(row);
  EXPECT_EQ(from.next<std::uint8_t>(), 7);
  EXPECT_EQ(from.next<std::string>(), "seven");
  from.next<no_data>();
  EXPECT_EQ(from.next<std::string>(), "");
  EXPECT_EQ(from.next<std::vector<double>>(), (std::vector<double>{0.5, 2}));
  EXPECT_EQ(from.next<shelf>(), given);
  EXPECT_EQ(from.next<std::uint64_t>(), 9u);
}

TEST(packing, only_what_owns_memory_needs_a_length) {
  EXPECT_EQ(packed(std::uint32_t{1}).size(), 4u);
  EXPECT_EQ(packed(no_data()).size(), 0u);
  EXPECT_EQ(packed(std::string(100, 'x')).size(), 104u);
}

TEST(packing, strings_are_looked_at_in_place) {
  const auto row = packed(std::string("here"));
  message::unpacker from(row);
  const std::string_view seen = from.next<std::string>();
  EXPECT_EQ(static_cast<const void*>(seen.data()), row.data() + row.size() - 4);
}

static_assert(!message::packs<std::vector<std::string>>, "nobody has said how it travels");

}  // namespace
}  // namespace atl
