#pragma once
// A program over plain MPI: how it starts, and this process in it.

#include <mpi.h>

#include <cstdint>

#include "peers/one_sided/launch.hpp"

namespace bench {

/// This process under MPI, for as long as it lives. One a program.
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

  /// Over all processes. Collective, as all below.
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

/// Where no launcher has started this program, replaces it by one of the MPI it is built with,
/// which runs the same command line on so many processes.
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

/// Seconds of what all processes do together.
template <class Body>
double seconds_of_all(const Body& body) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  body();
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

}  // namespace bench
