#include "atoll/graph/io/vertex_rows.hpp"

#include "atoll/graph/edge.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace atl;
using namespace std::literals;

constexpr vertex_column tree_columns[] = {{"parent", true}, {"distance"}};

std::string rows_of(vertex_style style, const graph::vertex_labels& labels) {
  graph::vertex_rows rows(style, tree_columns, labels);
  rows.add(2, std::vector<std::int64_t>{2, 0});
  rows.add(3, std::vector<std::int64_t>{no_value, no_value});
  rows.add(281474976710655, std::vector<std::int64_t>{2, 17});
  return std::move(rows).take();
}

TEST(vertex_rows, have_numbers_where_there_are_no_names) {
  const graph::vertex_labels none;
  EXPECT_EQ(rows_of(vertex_style::txt, none), "2\t2\t0\n281474976710655\t2\t17\n");
  EXPECT_EQ(rows_of(vertex_style::tsv, none), "2\t2\t0\n281474976710655\t2\t17\n");
  EXPECT_EQ(rows_of(vertex_style::csv, none), "2,2,0\n281474976710655,2,17\n");
}

TEST(vertex_rows, have_names_where_there_are_any) {
  graph::name_table names;
  names.add("a, \"b\"");
  names.add("");
  const graph::vertex_labels labels({2, 281474976710655}, std::move(names));
  EXPECT_EQ(rows_of(vertex_style::tsv, labels),
            "a, \"b\"\ta, \"b\"\t0\n281474976710655\ta, \"b\"\t17\n");
  EXPECT_EQ(rows_of(vertex_style::csv, labels),
            "\"a, \"\"b\"\"\",\"a, \"\"b\"\"\",0\n281474976710655,\"a, \"\"b\"\"\",17\n");
}

TEST(vertex_rows, stand_below_titles) {
  EXPECT_EQ(graph::head_of_rows(vertex_style::txt, tree_columns, 9),
            "# vertex\tparent\tdistance\n");
  EXPECT_EQ(graph::head_of_rows(vertex_style::tsv, tree_columns, 9), "vertex\tparent\tdistance\n");
  EXPECT_EQ(graph::head_of_rows(vertex_style::csv, tree_columns, 9), "vertex,parent,distance\n");
}

TEST(vertex_rows, of_an_array_are_little_endian_integers_for_every_vertex) {
  const auto expected = "\x02\0\0\0\0\0\0\0"
                        "\0\0\0\0\0\0\0\0"
                        "\xff\xff\xff\xff\xff\xff\xff\xff"
                        "\xff\xff\xff\xff\xff\xff\xff\xff"
                        "\x02\0\0\0\0\0\0\0"
                        "\x11\0\0\0\0\0\0\0"s;
  EXPECT_EQ(rows_of(vertex_style::npy, graph::vertex_labels()), expected);
}

TEST(vertex_rows, of_an_array_stand_below_the_head_of_numpy) {
  const auto dictionary = [](const std::string& shape) {
    auto text = "{'descr': '<i8', 'fortran_order': False, 'shape': " + shape + ", }";
    text.resize(117, ' ');  // so that elements begin at byte 128
    return "\x93NUMPY\x01\0\x76\0"s + text + "\n";
  };
  EXPECT_EQ(graph::head_of_rows(vertex_style::npy, tree_columns, 20'000), dictionary("(20000, 2)"));
  const std::vector<vertex_column> label = {{"label", true}};
  EXPECT_EQ(graph::head_of_rows(vertex_style::npy, label, 0), dictionary("(0,)"));
  EXPECT_EQ(graph::head_of_rows(vertex_style::npy, label, largest_vertex + 1),
            dictionary("(281474976710656,)"));
}

// Returns the bytes of a double in the layout of the compiler.
std::string bytes_of(double number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

TEST(vertex_rows, have_reals_in_as_few_digits_as_tell_them) {
  constexpr vertex_column rank[] = {{"rank", false, true}};
  const graph::vertex_labels none;
  for (const auto& [number, text] :
       {std::pair{0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {2.5e-9, "2.5e-09"}, {0.0, "0"}}) {
    const std::vector<std::int64_t> values = {std::bit_cast<std::int64_t>(number)};
    graph::vertex_rows rows(vertex_style::csv, rank, none);
    rows.add(7, values);
    EXPECT_EQ(std::move(rows).take(), "7,"s + text + "\n");
    graph::vertex_rows array(vertex_style::npy, rank, none);
    array.add(7, values);
    EXPECT_EQ(std::move(array).take(), bytes_of(number));
  }
  const auto head = graph::head_of_rows(vertex_style::npy, rank, 5);
  EXPECT_NE(head.find("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }"), head.npos);
}

TEST(vertex_rows, of_an_array_with_reals_are_doubles_all) {
  constexpr vertex_column columns[] = {{"rank", false, true}, {"arcs"}};
  graph::name_table ids;
  ids.add("4000");
  const graph::vertex_labels labels({7}, std::move(ids));
  graph::vertex_rows rows(vertex_style::npy, columns, labels);
  rows.add(7, std::vector<std::int64_t>{std::bit_cast<std::int64_t>(0.25), 3});
  EXPECT_EQ(std::move(rows).take(), bytes_of(0.25) + bytes_of(3));
}

}  // namespace
