// Tests that the program atoll-papers refuses too much memory, and computes on the simulated
// cluster.

#include "tests/app/shell.hpp"

namespace atl::reproduction {
namespace {

using namespace app;

TEST(papers_memory, of_a_tree_counts_what_it_is_built_from) {
  for (const std::string pes : {"", " --pes 3"})
    expect_refused("$papers concurrency --workers 16 --trials 1 --memory-limit 34MiB" + pes,
                   {"--workers 16", "34 MiB"});
}

TEST(papers_memory, of_prices_is_refused_before_they_are_measured) {
  expect_refused("$papers model --memory-limit 100MiB", {"are measured with", "100 MiB"});
}

TEST(papers_on_a_cluster, kernels_are_right_and_take_the_same_virtual_time_again) {
  for (const std::string kernel : {"$papers mst --scale 10 --filter off --local rounds",
                                   "$papers pagerank --scale 8", "$papers sort --class S"})
    expect_same_virtual_time(kernel);
}

}  // namespace
}  // namespace atl::reproduction
