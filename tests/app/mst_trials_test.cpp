// Tests `atoll bench mst` when its trials disagree, as if the algorithm sometimes failed.

#include "app/kernels/mst.hpp"

#include "graph/scratch_file.hpp"

#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

/// In one trial, this command reports a wrong forest: its weight is 1 too high, or it has one tree
/// too many.
class erring_command : public app::mst_command {
 public:
  erring_command(mst_flags& flags, const settings& options, int trial, bool in_weight)
      : app::mst_command(flags, options), trial_(trial), in_weight_(in_weight) {}

 private:
  task<spanning_forest> find() override {
    spanning_forest found = co_await app::mst_command::find();
    if (seen_++ != trial_) co_return found;
    if (in_weight_)
      found.weight = {0, static_cast<std::uint64_t>(found.weight.value()) + 1};
    else
      ++found.trees;
    co_return found;
  }

  int trial_;
  bool in_weight_;
  int seen_ = 0;
};

class mst_trials_that_differ : public testing::Test {
 protected:
  /// Runs the command on a path of three edges with a total weight of 18. Returns the printed text,
  /// and stores the exit status in `status_`.
  std::string said(const std::string& pes, int trial, bool in_weight) {
    settings options;
    options.set("pes", pes, "--pes");
    mst_flags flags;
    flags.files.edges = folder_.file("path.wel", "0 1 5\n1 2 6\n2 3 7\n");
    flags.common.trials = 2;
    flags.output = folder_.file("forest.wel", "old");
    testing::internal::CaptureStdout();
    status_ = erring_command(flags, options, trial, in_weight).run();
    return testing::internal::GetCapturedStdout();
  }

  scratch_folder folder_;
  int status_ = 0;
};

TEST_F(mst_trials_that_differ, are_a_wrong_result_that_nobody_had_to_ask_for) {
  for (const std::string pes : {"1", "2", "3"}) {
    EXPECT_THAT(said(pes, 2, true),
                HasSubstr("two trials differ: one has 3 edges of weight 18, the last has 3 edges "
                          "of weight 19\n"));
    EXPECT_EQ(status_, 1) << pes;
    EXPECT_EQ(content_of(folder_.path("forest.wel")), "old") << pes;
    const std::string of_trees = said(pes, 1, false);
    EXPECT_THAT(of_trees, HasSubstr("two trials differ: one has "));
    EXPECT_THAT(of_trees, Not(HasSubstr("edges/s")));
    EXPECT_EQ(status_, 1) << pes;
  }
}

TEST_F(mst_trials_that_differ, are_none_where_all_agree) {
  const std::string text = said("2", 9, true);
  EXPECT_THAT(text, HasSubstr("weight 18, 3 edges, 1 component\n"));
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(content_of(folder_.path("forest.wel")), "0 1 5\n1 2 6\n2 3 7\n");
}

}  // namespace
}  // namespace atl::app
