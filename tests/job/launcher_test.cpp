// The environment variables of a process must tell which launcher has started it.

#include "atoll/launch.hpp"

#include "atoll/error.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace atl::job {
namespace {

constexpr const char* all_variables[] = {
    "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK",
    "PMI_SIZE",  "SLURM_PROCID",         "SLURM_STEP_NUM_TASKS", "FLUX_JOB_SIZE"};

using environment = std::map<std::string, std::string>;

/// A fixture that removes the variables of all launchers from the environment. A test then sets the
/// variables of one launcher.
class launcher : public testing::Test {
 protected:
  launcher() { clear(); }
  ~launcher() override { clear(); }

  static void clear() {
    for (const char* name : all_variables) unsetenv(name);
  }
  static void put(const environment& variables) {
    clear();
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  static transport_kind chosen(transport_kind wanted = transport_kind::automatic) {
    settings options;
    options.transport = wanted;
    return chosen_transport(options);
  }
};

TEST_F(launcher, of_several_ranks_decides) {
  const environment of_several[] = {{{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}},
                                    {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "3"}},
                                    {{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "3"}},
                                    {{"PMIX_RANK", "1"}},  // The number of ranks is missing.
                                    {{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}};
  for (const auto& variables : of_several) {
    put(variables);
    EXPECT_EQ(chosen(), transport_kind::mpi) << variables.begin()->first;
  }
}

TEST_F(launcher, of_one_rank_is_none) {
  const environment of_one[] = {{},
                                {{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}},
                                {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}},
                                {{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}},
                                {{"PMIX_RANK", "0"}, {"FLUX_JOB_SIZE", "1"}},
                                {{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}};
  for (const auto& variables : of_one) {
    put(variables);
    EXPECT_EQ(chosen(), transport_kind::shm);
    EXPECT_EQ(chosen(transport_kind::sim), transport_kind::sim);
  }
}

TEST_F(launcher, of_one_rank_runs_mpi_where_that_is_asked_for) {
  put({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}});
  EXPECT_EQ(chosen(transport_kind::mpi), transport_kind::mpi);
  put({});
  EXPECT_THROW(chosen(transport_kind::mpi), error);
}

TEST_F(launcher, is_none_where_variables_are_empty) {
  put({{"PMIX_RANK", ""}, {"PMI_RANK", ""}, {"OMPI_COMM_WORLD_RANK", ""}, {"SLURM_PROCID", ""}});
  EXPECT_FALSE(present_launch());
}

// If a launcher runs inside another launcher, the inner launcher must be found. If the outer
// launcher were found, each rank would run a job of its own, and all jobs would write the same
// files.
TEST_F(launcher, in_a_shell_of_another_one_is_the_inner_one) {
  put({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"PMI_RANK", "2"}, {"PMI_SIZE", "4"}});
  EXPECT_EQ(present_launch()->library, mpi_library::mpich);
  EXPECT_EQ(present_launch()->ranks, 4);
  put({{"PMI_RANK", "0"},
       {"PMI_SIZE", "1"},
       {"OMPI_COMM_WORLD_RANK", "2"},
       {"OMPI_COMM_WORLD_SIZE", "3"}});
  EXPECT_EQ(present_launch()->library, mpi_library::openmpi);
  EXPECT_EQ(present_launch()->rank, 2);
}

TEST_F(launcher, is_forgotten) {
  put({{"PMIX_RANK", "0"},
       {"OMPI_COMM_WORLD_RANK", "0"},
       {"PMI_RANK", "0"},
       {"SLURM_PROCID", "0"},
       {"SLURM_STEP_NUM_TASKS", "4"},
       {"PMI_SIZE", "4"}});
  forget_launch();
  EXPECT_FALSE(present_launch());
}

}  // namespace
}  // namespace atl::job
