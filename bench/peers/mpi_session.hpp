#pragma once
// Starts a program over plain MPI, and initialises MPI in this process.

#include <mpi.h>

#include <cstdint>

#include "peers/one_sided/launch.hpp"

namespace bench {

/// Initialises MPI in the constructor and finalises it in the destructor. A program may make only
/// one object of this class.
class mpi_session {
 public:
  mpi_session() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  ~mpi_session() { MPI_Finalize(); }
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;

  /// Returns the sum over all processes. All processes call this function and the functions below.
  static std::uint64_t sum(std::uint64_t value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return value;
  }
  static double sum(double value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return value;
  }

  int rank = 0, size = 1;
};

/// If no launcher has started this process, replaces the process by a launcher. The launcher
/// belongs to the MPI with which the program was built. The launcher runs the same command line on
/// `processes` processes.
inline void launch_under_mpi(const char* launcher, char** argv, std::uint64_t processes,
                             bool over_hosts) {
#ifdef OPEN_MPI
  constexpr auto kind = one_sided::launcher_kind::open_mpi;
#else
  constexpr auto kind = one_sided::launcher_kind::mpich;
#endif
  if (!one_sided::is_launched())
    one_sided::launch(launcher, kind, argv, {.processes = processes, .over_hosts = over_hosts});
}

/// Returns the seconds between a common start of all processes and the moment when `body` has ended
/// on all processes.
template <class Body>
double seconds_of_all(const Body& body) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  body();
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

}  // namespace bench
