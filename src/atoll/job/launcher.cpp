#include "atoll/launch.hpp"

#include "atoll/error.hpp"

#include <cstdlib>
#include <initializer_list>

namespace atl::job {
namespace {

/// A launcher sets one of these environment variables to the rank of the process that it starts.
constexpr const char* rank_variables[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                          "SLURM_PROCID"};

const char* value_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

bool is_set(const char* variable) { return value_of(variable) != nullptr; }

/// Returns the number in the first of `variables` that is set, or 0 if none is set.
int number_in(std::initializer_list<const char*> variables) {
  for (const char* variable : variables)
    if (const char* const text = value_of(variable)) return std::atoi(text);
  return 0;
}

std::optional<launch> launch_by_openmpi() {
  if (!is_set("PMIX_RANK") && !is_set("OMPI_COMM_WORLD_RANK")) return std::nullopt;
  return launch{"Open MPI's mpirun", mpi_library::openmpi,
                number_in({"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}),
                number_in({"OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "FLUX_JOB_SIZE"}),
                number_in({"OMPI_COMM_WORLD_LOCAL_SIZE"})};
}

std::optional<launch> launch_by_mpich() {
  if (!is_set("PMI_RANK")) return std::nullopt;
  return launch{"MPICH's mpiexec", mpi_library::mpich, number_in({"PMI_RANK"}),
                number_in({"PMI_SIZE"}), number_in({"MPI_LOCALNRANKS"})};
}

std::optional<launch> launch_by_slurm() {
  const int ranks = number_in({"SLURM_STEP_NUM_TASKS"});
  if (!is_set("SLURM_PROCID") || ranks <= 1) return std::nullopt;
  return launch{"srun", mpi_library::automatic, number_in({"SLURM_PROCID"}), ranks, 0};
}

}  // namespace

// If the variables of several launchers are set, a launch of several ranks has priority over a
// launch of one rank. For example, srun may start a shell as a single rank, and mpirun may start
// several ranks in this shell. The ranks that mpirun starts then have the variables of both
// launchers.
std::optional<launch> present_launch() {
  std::optional<launch> of_one_rank;
  for (const auto& found : {launch_by_openmpi(), launch_by_mpich(), launch_by_slurm()}) {
    if (found && found->ranks != 1) return found;
    if (!of_one_rank) of_one_rank = found;
  }
  return of_one_rank;
}

bool is_one_of_ranks() {
  const auto started_by = present_launch();
  return started_by && started_by->ranks != 1;
}

void forget_launch() {
  for (const char* variable : rank_variables) unsetenv(variable);
}

transport_kind chosen_transport(const settings& settings) {
  const auto started_by = present_launch();
  const transport_kind wanted = settings.transport;
  if (!started_by && wanted == transport_kind::mpi)
    fail(errc::input, "--transport mpi: this program was not started by a launcher of MPI; start "
                      "it as mpirun -n N PROGRAM");
  if (wanted == transport_kind::mpi) return wanted;
  if (wanted == transport_kind::automatic)
    return is_one_of_ranks() ? transport_kind::mpi : transport_kind::shm;
  if (started_by && started_by->ranks > 1)
    fail(errc::input,
         "--transport {}: {} has started {} ranks, and each would run a job of its own; start the "
         "program without it, or leave --transport away",
         settings.value("transport"), started_by->launcher, started_by->ranks);
  return wanted;
}

}  // namespace atl::job
