#include "atoll/transport/mpi/plugin/end_together.hpp"

#include <cstdio>
#include <ctime>
#include <initializer_list>
#include <mpi.h>

namespace atoll_mpi {
namespace {

constexpr long first_nap = 200'000;
constexpr long longest_nap = 10'000'000;
constexpr long longest_wait = 5'000'000'000;

void nap(long nanoseconds) {
  const timespec time{0, nanoseconds};
  nanosleep(&time, nullptr);
}

/// One number for each job, for its names may outlive it in a name server.
long number_of_job(MPI_Comm all, int rank) {
  long made = 0;
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  if (rank == 0) made = static_cast<long>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  MPI_Bcast(&made, 1, MPI_LONG, 0, all);
  return made;
}

/// Needs no memory, for without it a rank could not end. Rank 0 stands for all.
class name_of {
 public:
  name_of(long job, int rank) { std::snprintf(text_, sizeof text_, "atoll-%ld-%d", job, rank); }

  const char* text() const { return text_; }

 private:
  char text_[48];
};

bool publish(const name_of& name) {
  return MPI_Publish_name(name.text(), MPI_INFO_NULL, "here") == MPI_SUCCESS;
}

/// False: nobody has published it for long.
bool wait_for(const name_of& name) {
  char value[MPI_MAX_PORT_NAME];
  long waited = 0;
  for (long time = first_nap; waited < longest_wait; time = time < longest_nap ? 2 * time : time) {
    if (MPI_Lookup_name(name.text(), MPI_INFO_NULL, value) == MPI_SUCCESS) return true;
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
  const long job = number_of_job(all, rank);
  MPI_Barrier(all);
  for (const MPI_Comm each : {MPI_COMM_WORLD, MPI_COMM_SELF})
    MPI_Comm_set_errhandler(each, MPI_ERRORS_RETURN);
  if (rank != 0) {
    if (publish({job, rank})) wait_for({job, 0});
    return;
  }
  for (int other = 1; other < size; ++other)
    if (!wait_for({job, other})) return;
  publish({job, 0});
}

}  // namespace atoll_mpi
