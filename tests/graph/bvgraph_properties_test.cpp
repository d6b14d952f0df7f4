// Tests files of properties of a BVGraph: their Java syntax, and the meaning of the properties.

#include "atoll/error.hpp"
#include "atoll/graph/io/bvgraph/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace atl::graph::bvgraph;
using testing::HasSubstr;

std::string value(std::string_view text, std::string_view name) {
  const java_properties properties("p", text);
  const auto* const found = properties.find(name);
  return found == nullptr ? "none" : found->value;
}

TEST(java_properties, names_end_at_a_separator_or_a_blank) {
  EXPECT_EQ(value("a=1\nb:2\nc 3\n", "a"), "1");
  EXPECT_EQ(value("a=1\nb:2\nc 3\n", "b"), "2");
  EXPECT_EQ(value("a=1\nb:2\nc 3\n", "c"), "3");
  EXPECT_EQ(value("  a \t=  1 2 ", "a"), "1 2 ");
  EXPECT_EQ(value("a==b:c", "a"), "=b:c");
  EXPECT_EQ(value("alone", "alone"), "");
  EXPECT_EQ(value("a=1", "b"), "none");
  EXPECT_EQ(value("a=1\na=2", "a"), "2");
}

TEST(java_properties, comments_and_blank_lines_are_left_out) {
  EXPECT_EQ(value("# a=1\n! a=2\n\n\t \r\n  #a=3\\\na=4", "a"), "4");
  EXPECT_EQ(value("#x\r\na=1\rb=2", "b"), "2");
}

TEST(java_properties, lines_may_go_on) {
  EXPECT_EQ(value("a=1\\\n   2\\\r\n3\nb=4", "a"), "123");
  EXPECT_EQ(value("a=1\\\\\nb=4", "a"), "1\\");
  EXPECT_EQ(value("a=1\\", "a"), "1");
}

TEST(java_properties, escapes_stand_for_characters) {
  EXPECT_EQ(value("a\\=b\\ c=\\t\\n\\u0041\\u00e9\\q", "a=b c"), "\t\nA\u00e9q");
  EXPECT_EQ(value("a=\xe9", "a"), "\u00e9");
  EXPECT_THROW(java_properties("p", "a=\\u00g1"), atl::error);
  EXPECT_THROW(java_properties("p", "a=\\u12"), atl::error);
}

const std::string k_least =
    "graphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=5\narcs=7\nwindowsize=2\n"
    "minintervallength=3\n";

parameters parsed(const std::string& more) {
  return parameters_of(java_properties("p", k_least + more));
}

std::string complaint(const std::string& text) {
  try {
    parameters_of(java_properties("p", text));
  } catch (const atl::error& e) {
    EXPECT_EQ(e.exit_status(), 2);
    return e.what();
  }
  return "";
}

TEST(bvgraph_parameters, what_is_not_said_is_the_default) {
  const auto of = parsed("");
  EXPECT_EQ(of.nodes, 5u);
  EXPECT_EQ(of.arcs, 7u);
  EXPECT_EQ(of.window, 2u);
  EXPECT_EQ(of.min_interval, 3u);
  EXPECT_EQ(of.outdegrees, code{code_kind::gamma});
  EXPECT_EQ(of.references, code{code_kind::unary});
  EXPECT_EQ(of.residuals, (code{code_kind::zeta, 3}));
  EXPECT_EQ(flags_of(of), "");
}

TEST(bvgraph_parameters, flags_choose_codes) {
  const auto of = parsed("zetak=5\ncompressionflags=OUTDEGREES_DELTA | BLOCKS_DELTA|"
                         "RESIDUALS_GOLOMB | REFERENCES_GAMMA | BLOCK_COUNT_UNARY | OFFSETS_DELTA");
  EXPECT_EQ(of.outdegrees.kind, code_kind::delta);
  EXPECT_EQ(of.blocks.kind, code_kind::delta);
  EXPECT_EQ(of.residuals, (code{code_kind::golomb, 5}));
  EXPECT_EQ(of.references.kind, code_kind::gamma);
  EXPECT_EQ(of.block_counts.kind, code_kind::unary);
  EXPECT_EQ(of.offsets.kind, code_kind::delta);
  EXPECT_EQ(flags_of(of), "OUTDEGREES_DELTA | BLOCKS_DELTA | RESIDUALS_GOLOMB | REFERENCES_GAMMA | "
                          "BLOCK_COUNT_UNARY | OFFSETS_DELTA");
  EXPECT_EQ(parsed("compressionflags=" + flags_of(of)).residuals.kind, code_kind::golomb);
}

TEST(bvgraph_parameters, wrong_ones_are_named) {
  EXPECT_THAT(complaint(""), HasSubstr("p: there is no graphclass"));
  EXPECT_THAT(complaint("graphclass=x.BVGraph\nnodes=1\n"), HasSubstr("there is no arcs"));
  EXPECT_THAT(complaint(k_least + "graphclass=x.EFGraph"), HasSubstr("p:6: graphclass=x.EFGraph"));
  EXPECT_THAT(complaint(k_least + "nodes=-1"), HasSubstr("p:6: nodes=-1: expected a whole number"));
  EXPECT_THAT(complaint(k_least + "nodes=1e3"), HasSubstr("expected a whole number"));
  EXPECT_THAT(complaint(k_least + "nodes="), HasSubstr("expected a whole number"));
  EXPECT_THAT(complaint(k_least + "nodes=99999999999999999999"), HasSubstr("out of range (0 to"));
  EXPECT_THAT(complaint(k_least + "windowsize=65536"), HasSubstr("out of range (0 to 65535)"));
  EXPECT_THAT(complaint(k_least + "zetak=0"), HasSubstr("zetak=0: out of range (1 to 15)"));
  EXPECT_THAT(complaint(k_least + "version=1"), HasSubstr("only version 0"));
  EXPECT_THAT(complaint(k_least + "endianness=little"), HasSubstr("endianness=little"));
  EXPECT_THAT(complaint(k_least + "compressionflags=BLOCKS_ZETA"),
              HasSubstr("p:6: compressionflags: BLOCKS_ZETA is no flag of a BVGraph"));
}

}  // namespace
