#include "atoll/graph/uts/sha1.hpp"

#include "atoll/random.hpp"

#include <gtest/gtest.h>

namespace atl::graph::uts {
namespace {

using words = std::array<std::uint32_t, 5>;

template <std::size_t N>
std::array<tree_vertex, N> portable(const tree_vertex& parent, std::uint32_t first) {
  std::array<tree_vertex, N> children;
  sha1::portable_children(parent, first, children);
  return children;
}

template <std::size_t N>
std::array<tree_vertex, N> instructed(const tree_vertex& parent, std::uint32_t first) {
  std::array<tree_vertex, N> children;
  sha1::instructed_children(parent, first, children);
  return children;
}

tree_vertex random_state(random_stream& random) {
  tree_vertex made;
  for (auto& word : made.words) word = static_cast<std::uint32_t>(random());
  return made;
}

// The examples of FIPS 180 that fit into one block: "abc", and the empty text.
TEST(uts_sha1, agrees_with_the_standard) {
  EXPECT_EQ(sha1::of_block({0x61626380u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24}).words,
            (words{0xa9993e36u, 0x4706816au, 0xba3e2571u, 0x7850c26cu, 0x9cd0d89du}));
  EXPECT_EQ(sha1::of_block({0x80000000u}).words,
            (words{0xda39a3eeu, 0x5e6b4b0du, 0x3255bfefu, 0x95601890u, 0xafd80709u}));
}

// The expected value is the output of `sha1sum` for the 24 bytes 01020304 00000005 00000006
// 00000007 00000008 00000009.
TEST(uts_sha1, is_that_of_the_parent_and_the_number) {
  const tree_vertex parent{{0x01020304u, 5, 6, 7, 8}};
  const words right{0xf3f448dfu, 0xcc6071fau, 0x509f5bf8u, 0xafe6b101u, 0x8deec889u};
  EXPECT_EQ(portable<1>(parent, 9)[0].words, right);
  EXPECT_EQ(children_of<1>(parent, 9)[0].words, right);
}

// The expected value is the output of `sha1sum` for 16 zero bytes and 00000013.
TEST(uts_sha1, begins_with_the_seed) {
  EXPECT_EQ(root_of(19).words,
            (words{0xc6988ab7u, 0x0cc9559au, 0xe4d6cba2u, 0x54e29a84u, 0x5a85f86bu}));
}

TEST(uts_sha1, is_the_same_by_instructions) {
  if (!sha1::has_instructions) GTEST_SKIP() << "this processor has no SHA instructions";
  random_stream random(1);
  for (int i = 0; i < 1000; ++i) {
    const tree_vertex parent = random_state(random);
    const auto first = static_cast<std::uint32_t>(random());
    const auto right = portable<4>(parent, first);
    EXPECT_EQ(instructed<1>(parent, first)[0], right[0]);
    const auto two = instructed<2>(parent, first);
    EXPECT_EQ(two[0], right[0]);
    EXPECT_EQ(two[1], right[1]);
    EXPECT_EQ(instructed<4>(parent, first), right);
  }
}

TEST(uts_sha1, is_chosen_at_run_time) {
  random_stream random(2);
  const tree_vertex parent = random_state(random);
  EXPECT_EQ(children_of<1>(parent, 7), portable<1>(parent, 7));
  EXPECT_EQ(children_of<2>(parent, 7), portable<2>(parent, 7));
}

}  // namespace
}  // namespace atl::graph::uts
