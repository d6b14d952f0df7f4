// The large trees, as their authors published them.

#include "kernels/uts.hpp"

#include "support/run_on.hpp"

namespace atoll::kernels::uts {
namespace {

class uts_large : public test::on_pes {};

TEST_P(uts_large, finds_the_published_trees) {
  for (const auto* name : {"T1L", "T2L", "T3L"}) {
    for (const join_at join : {join_at::whole, join_at::vertex}) {
      const auto& tree = *find_tree(name);
      outcome result;
      run([&]() -> task<> { result = co_await measure({tree, join, 0}); });
      EXPECT_EQ(result.complaint(tree.published), "") << name;
    }
  }
}

ATOLL_RUN_ON_ALL(uts_large);

}  // namespace
}  // namespace atoll::kernels::uts
