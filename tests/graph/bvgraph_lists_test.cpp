// Tests lists of successors: how they are represented, encoded as bits, and decoded again.

#include "atoll/graph/io/bvgraph/list_form.hpp"
#include "atoll/graph/io/bvgraph/list_reader.hpp"
#include "graph/bvgraph_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace atl::graph::bvgraph;
// The header atoll/index_space.hpp has another function of this name.
using atl::graph::bvgraph::interval;
using testing::ElementsAre;
using testing::IsEmpty;
using list = std::vector<std::uint64_t>;

/// Returns the bytes of a text of the digits 0 and 1, padded with zeros. Blanks in the text only
/// help readers.
std::string bytes_of(std::string digits) {
  std::erase(digits, ' ');
  while (digits.size() % 8 != 0) digits += '0';
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 8)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 8), nullptr, 2));
  return bytes;
}

list_form read_form(const std::string& digits, std::uint64_t node, std::uint64_t referred = 0) {
  parameters of;
  of.nodes = 1000;
  const form_reader reader(of);
  bit_reader bits(bytes_of(digits));
  list_form form;
  reader.read(bits, node, [&](std::uint64_t) { return referred; }, form);
  return form;
}

TEST(bvgraph_lists, an_empty_list_is_one_bit) { EXPECT_EQ(read_form("1", 3).outdegree, 0u); }

// The bits mean 3 successors, no reference and no interval. The first successor of node 3 is 10,
// and their difference 7 is coded as the natural number 14. The next two successors follow after
// gaps of 1 and 5.
TEST(bvgraph_lists, residuals_are_differences) {
  const auto form = read_form("00100 1 1 0100111 100 1101", 3);
  EXPECT_THAT(form.intervals, IsEmpty());
  EXPECT_THAT(form.residuals, ElementsAre(10, 11, 16));
}

// The bits mean 7 successors, no reference and one interval. The interval has 4 + 2 nodes and
// begins 1 before the node. The node 8 + 12 follows.
TEST(bvgraph_lists, intervals_begin_near_the_node) {
  const auto form = read_form("0001000 1 010 010 011 01011001", 8);
  EXPECT_THAT(form.intervals, ElementsAre(interval{7, 6}));
  EXPECT_THAT(form.residuals, ElementsAre(20));
}

// The bits mean 3 successors. The successors are copied from the node whose number is smaller by 2.
// The source of the copy has 4 successors. The blocks 1 and 0 + 1 state that the second of the 4
// successors is left out.
TEST(bvgraph_lists, blocks_are_copied_and_left_out_in_turn) {
  const auto form = read_form("00100 001 011 010 1", 9, 4);
  EXPECT_EQ(form.reference, 2u);
  EXPECT_THAT(form.blocks, ElementsAre(1, 1));
  EXPECT_EQ(form.copied, 3u);
  EXPECT_THAT(form.residuals, IsEmpty());
}

TEST(bvgraph_lists, what_no_list_can_be_is_refused) {
  const auto refused = [](const std::string& digits, std::uint64_t node, std::uint64_t referred) {
    try {
      read_form(digits, node, referred);
    } catch (const malformed& wrong) {
      return wrong.sentence;
    }
    return std::string();
  };
  EXPECT_EQ(refused("0000000000 10000000000", 1, 0),
            "an outdegree of 1023 in a graph of 1000 nodes");
  EXPECT_EQ(refused("010 001", 1, 0), "a reference to 2 nodes before, with a windowsize of 7");
  EXPECT_EQ(refused("010 01 00101", 1, 2), "4 blocks of a list of 2 successors");
  EXPECT_EQ(refused("010 01 010 00101", 1, 3), "blocks up to 4 of a list of 3 successors");
  EXPECT_EQ(refused("010 01 1", 1, 3), "3 successors are copied, and the outdegree is 1");
  EXPECT_EQ(refused("00100 1 010", 1, 0), "1 intervals of 4 successors or more, for 3 successors");
  EXPECT_EQ(refused("00101 1 010 010 1", 0, 0), "a successor -1, where nodes are 0 to 999");
  EXPECT_EQ(refused("00101 1 010 1 010", 0, 0), "an interval of 5 successors, where 4 are left");
  EXPECT_EQ(refused("010 1 1 010", 0, 0), "the file ends here, and the list does not");
}

list_form form_of(const list& successors, const list& referred, std::uint64_t min_interval = 4) {
  form_maker maker(min_interval);
  list_form form;
  maker.make(successors, 1, referred, form);
  return form;
}

TEST(bvgraph_lists, forms_have_as_few_blocks_as_they_can) {
  const list referred = {1, 3, 5, 7, 9};
  EXPECT_THAT(form_of({1, 3, 5, 7, 9}, referred).blocks, IsEmpty());
  EXPECT_THAT(form_of({1, 3}, referred).blocks, ElementsAre(2));
  EXPECT_THAT(form_of({5, 7, 9}, referred).blocks, ElementsAre(0, 2));
  EXPECT_THAT(form_of({1, 9, 10}, referred).blocks, ElementsAre(1, 3));
  EXPECT_THAT(form_of({2, 4}, referred).blocks, ElementsAre(0));
  EXPECT_THAT(form_of({2, 4}, referred).residuals, ElementsAre(2, 4));
}

TEST(bvgraph_lists, runs_are_intervals_if_they_are_long_enough) {
  const list successors = {1, 2, 3, 4, 6, 8, 9, 10, 11, 12};
  const auto form = form_of(successors, {});
  EXPECT_THAT(form.intervals, ElementsAre(interval{1, 4}, interval{8, 5}));
  EXPECT_THAT(form.residuals, ElementsAre(6));
  EXPECT_THAT(form_of(successors, {}, 5).intervals, ElementsAre(interval{8, 5}));
  EXPECT_THAT(form_of(successors, {}, 0).intervals, IsEmpty());
}

TEST(bvgraph_lists, a_form_and_its_reference_make_the_list) {
  const auto all = bvgraph_files::random_lists(300, 7);
  for (std::size_t node = 1; node < all.size(); ++node) {
    successor_list referred, made;
    referred.assemble(form_of(all[node - 1], {}));
    made.assemble(form_of(all[node], all[node - 1], node % 5), referred);
    EXPECT_EQ(list(made.all().begin(), made.all().end()), all[node]);
  }
}

TEST(bvgraph_lists, a_successor_that_is_there_twice_is_refused) {
  successor_list referred, made;
  referred.assemble(form_of({1, 5, 9}, {}));
  list_form copied;
  copied.outdegree = 4;
  copied.copied = 3;
  copied.residuals = {5};
  EXPECT_THROW(made.assemble(copied, referred), malformed);
  copied.residuals.clear();
  copied.outdegree = 7;
  copied.intervals = {{6, 4}};
  EXPECT_THROW(made.assemble(copied, referred), malformed);
  copied.intervals = {{10, 4}};
  EXPECT_NO_THROW(made.assemble(copied, referred));
}

}  // namespace
