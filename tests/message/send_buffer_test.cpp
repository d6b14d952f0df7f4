// Tests how a send buffer counts its messages while it is filled. Messages of one type form a run,
// whose header and common part are stored once.

#include "atoll/message/send_buffer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>

namespace atl {
namespace {

using message::activity;
using message::run_function;
using message::send_buffer;
using message::traffic;

template <int Kind>
std::uint32_t run_of_kind(message::engine&, const std::byte*, const std::byte*) {
  return Kind;
}

constexpr std::size_t k_counted_buffer = 4096;

/// A buffer that gets messages of several types.
class counted_buffer {
 public:
  counted_buffer() { out.open(buffer_.data(), k_counted_buffer); }

  template <int Kind, traffic Traffic = traffic::tracked>
  void write(std::size_t slot, activity* scope, std::span<const std::byte> common = {}) {
    const run_function run = &run_of_kind<Kind>;
    const auto key = message::key_of(run);
    if (!out.takes<Traffic>(key, scope, slot) && !out.resume(key, scope, slot)) {
      const bool has_room = out.begin({key, run, Traffic, scope, 24, slot, common}, 100 + Kind);
      ASSERT_TRUE(has_room);
    }
    out.cursor += slot;
  }

  const std::byte* memory() const { return buffer_.data(); }

  send_buffer out;

 private:
  alignas(64) std::array<std::byte, k_counted_buffer> buffer_{};
};

TEST(send_buffer, counts_an_open_run_as_one_part_and_its_messages_when_it_ends) {
  counted_buffer buffer;
  activity scope;
  for (int i = 0; i < 5; ++i) buffer.write<1>(12, &scope);
  EXPECT_EQ(scope.pending, 1);
  EXPECT_EQ(buffer.out.all_created(), 5U);
  buffer.out.close();
  EXPECT_EQ(scope.pending, 5);
  EXPECT_EQ(buffer.out.created, 5U);
  EXPECT_EQ(buffer.out.all_created(), 5U);
}

TEST(send_buffer, counts_the_messages_of_each_activity) {
  counted_buffer buffer;
  activity one;
  activity other;
  for (int i = 0; i < 3; ++i) buffer.write<1>(8, &one);
  for (int i = 0; i < 7; ++i) buffer.write<1>(8, &other);
  EXPECT_EQ(one.pending, 3);
  EXPECT_EQ(other.pending, 1);
  buffer.out.close();
  EXPECT_EQ(other.pending, 7);
  EXPECT_EQ(buffer.out.created, 10U);
}

TEST(send_buffer, counts_runs_of_kinds_that_are_mixed) {
  counted_buffer buffer;
  activity scope;
  std::uint64_t written = 0;
  for (int i = 0; i < 40; ++i) {
    buffer.write<1>(12, &scope);
    buffer.write<2>(20, &scope);
    buffer.write<3, traffic::untracked>(8, nullptr);
    written += 3;
    ASSERT_EQ(buffer.out.all_created(), written);
    ASSERT_GE(scope.pending, 2);
  }
  buffer.out.close();
  EXPECT_EQ(scope.pending, 80);
  EXPECT_EQ(buffer.out.created, 120U);
}

TEST(send_buffer, counts_those_of_the_runtime_and_those_sent_on_as_nobodys) {
  counted_buffer buffer;
  activity scope;
  for (int i = 0; i < 3; ++i) buffer.write<1, traffic::control>(8, nullptr);
  for (int i = 0; i < 4; ++i) buffer.write<2, traffic::relayed>(16, &scope);
  buffer.out.close();
  EXPECT_EQ(scope.pending, 4);
  EXPECT_EQ(buffer.out.created, 0U);
}

TEST(send_buffer, has_the_common_part_of_a_run_behind_its_header_and_counts_what_follows) {
  counted_buffer buffer;
  activity scope;
  std::array<std::byte, 80> common{};
  common.fill(std::byte{0x5a});
  for (int i = 0; i < 5; ++i) buffer.write<1>(12, &scope, common);
  EXPECT_EQ(buffer.out.all_created(), 5U);
  // The buffer has a marker, a header, and a common part of 80 bytes. The messages take 60 bytes,
  // which are rounded up to 64.
  EXPECT_EQ(buffer.out.close(), 8 + 8 + 80 + 64U);
  EXPECT_EQ(scope.pending, 5);
  const std::span part(buffer.memory() + 16, 80);
  EXPECT_TRUE(std::ranges::equal(part, common));
}

// If messages of two types alternate, each run is short, and each repeats its common part. After a
// few short runs, the buffer must collect the messages of each type in chunks.
TEST(send_buffer, repeats_the_common_part_in_few_runs_where_kinds_are_mixed) {
  counted_buffer buffer;
  activity scope;
  std::array<std::byte, 160> common{};
  common.fill(std::byte{0x5a});
  for (int i = 0; i < 20; ++i) {
    buffer.write<1>(8, &scope, common);
    buffer.write<2>(20, &scope, common);
  }
  EXPECT_EQ(buffer.out.all_created(), 40U);
  const std::uint32_t bytes = buffer.out.close();
  EXPECT_EQ(scope.pending, 40);
  EXPECT_EQ(buffer.out.created, 40U);
  std::size_t parts = 0;
  const std::span written(buffer.memory(), bytes);
  for (auto rest = written; !rest.empty();) {
    const auto found = std::ranges::search(rest, common);
    if (found.empty()) break;
    ++parts;
    rest = rest.subspan(static_cast<std::size_t>(found.end() - rest.begin()));
  }
  EXPECT_GE(parts, 9U);  // The buffer has 8 short runs, and then one or two chunks of each type.
  EXPECT_LE(parts, 14U);
}

TEST(send_buffer, counts_messages_that_differ_in_size_one_by_one) {
  counted_buffer buffer;
  activity scope;
  const run_function run = &run_of_kind<1>;
  const bool has_room =
      buffer.out.begin({message::key_of(run), run, traffic::tracked, &scope, 64, 0}, 101);
  ASSERT_TRUE(has_room);
  buffer.out.cursor += 64;
  buffer.out.count_one<traffic::tracked>(&scope);
  EXPECT_EQ(scope.pending, 1);
  EXPECT_EQ(buffer.out.all_created(), 1U);
  buffer.out.close();
  EXPECT_EQ(scope.pending, 1);
  EXPECT_EQ(buffer.out.created, 1U);
}

}  // namespace
}  // namespace atl
