#include "atoll/job/launcher.hpp"

#include "atoll/base/error.hpp"

#include <cstdlib>
#include <initializer_list>

namespace atl::job {
namespace {

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

/// The first of these variables that is set; 0 when none is.
int number_in(std::initializer_list<const char*> variables) {
  for (const char* variable : variables)
    if (const char* const text = std::getenv(variable)) return std::atoi(text);
  return 0;
}

}  // namespace

std::optional<launch> present_launch() {
  if (is_set("PMIX_RANK") || is_set("OMPI_COMM_WORLD_RANK"))
    return launch{"Open MPI's mpirun", mpi_library::openmpi,
                  number_in({"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}),
                  number_in({"OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"}),
                  number_in({"OMPI_COMM_WORLD_LOCAL_SIZE"})};
  if (is_set("PMI_RANK"))
    return launch{"MPICH's mpiexec", mpi_library::mpich, number_in({"PMI_RANK"}),
                  number_in({"PMI_SIZE"}), number_in({"MPI_LOCALNRANKS"})};
  if (is_set("SLURM_PROCID") && number_in({"SLURM_STEP_NUM_TASKS"}) > 1)
    return launch{"srun", mpi_library::automatic, number_in({"SLURM_PROCID"}),
                  number_in({"SLURM_STEP_NUM_TASKS"}), 0};
  return std::nullopt;
}

transport_kind chosen_transport(const settings& settings) {
  const auto started_by = present_launch();
  const transport_kind wanted = settings.transport;
  if (!started_by) {
    if (wanted == transport_kind::mpi)
      fail(errc::input, "--transport mpi: this program was not started by a launcher of MPI; start "
                        "it as mpirun -n N PROGRAM");
    return wanted == transport_kind::automatic ? transport_kind::shm : wanted;
  }
  if (wanted == transport_kind::automatic || wanted == transport_kind::mpi)
    return transport_kind::mpi;
  if (started_by->ranks > 1)
    fail(errc::input,
         "--transport {}: {} has started {} ranks, and each would run a job of its own; start the "
         "program without it, or leave --transport away",
         settings.value("transport"), started_by->launcher, started_by->ranks);
  return wanted;
}

}  // namespace atl::job
