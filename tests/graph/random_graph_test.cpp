#include "atoll/graph/random_graph.hpp"

#include <gtest/gtest.h>

namespace {

using namespace atl;

template <class Generator>
void expect_edges_of(graph_kind kind) {
  generator_parameters parameters{10, 4, 3};
  parameters.kind = kind;
  const random_graph_generator any(parameters);
  const Generator one(parameters);
  for (std::uint64_t i = 0; i < parameters.edges(); ++i) ASSERT_EQ(any(i), one(i));
}

TEST(random_graph, has_the_edges_of_its_kind) {
  expect_edges_of<kronecker_generator>(graph_kind::kronecker);
  expect_edges_of<uniform_generator>(graph_kind::uniform);
  expect_edges_of<web_generator>(graph_kind::web);
}

}  // namespace
