#include "atoll/transport/mpi/plugin/end_together.hpp"

#include <cstdio>
#include <ctime>
#include <mpi.h>
#include <string>

namespace atoll_mpi {
namespace {

constexpr long first_nap = 200'000;
constexpr long longest_nap = 10'000'000;
constexpr long longest_wait = 5'000'000'000;

void nap(long nanoseconds) {
  const timespec time{0, nanoseconds};
  nanosleep(&time, nullptr);
}

/// One name for each job, also where a name server outlives them.
std::string name_of(MPI_Comm all, int rank) {
  long made = 0;
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  if (rank == 0) made = static_cast<long>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  MPI_Bcast(&made, 1, MPI_LONG, 0, all);
  return "atoll-" + std::to_string(made) + "-";
}

bool publish(const std::string& name) {
  return MPI_Publish_name(name.c_str(), MPI_INFO_NULL, "here") == MPI_SUCCESS;
}

/// False: nobody has published it for long.
bool wait_for(const std::string& name) {
  char value[MPI_MAX_PORT_NAME];
  long waited = 0;
  for (long time = first_nap; waited < longest_wait; time = time < longest_nap ? 2 * time : time) {
    if (MPI_Lookup_name(name.c_str(), MPI_INFO_NULL, value) == MPI_SUCCESS) return true;
    nap(time);
    waited += time;
  }
  return false;
}

}  // namespace

void stand_still_together(MPI_Comm all) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &size);
  if (size == 1) return;
  const std::string name = name_of(all, rank);
  MPI_Barrier(all);
  for (const MPI_Comm each : {MPI_COMM_WORLD, MPI_COMM_SELF})
    MPI_Comm_set_errhandler(each, MPI_ERRORS_RETURN);
  if (rank != 0) {
    if (publish(name + std::to_string(rank))) wait_for(name + "all");
    return;
  }
  for (int other = 1; other < size; ++other)
    if (!wait_for(name + std::to_string(other))) return;
  publish(name + "all");
}

}  // namespace atoll_mpi
