// The plug-in for one MPI library. The plug-in is compiled with the header mpi.h of the MPI
// library, and fills the table of mpi_api.h.

#include "atoll/transport/mpi/mpi_api.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <mpi.h>

// The function `stand_still_together` synchronises the ranks before MPI_Finalize under MPICH.
//
// Up to version 4.2 of MPICH, MPI_Finalize closes a rank's UCX connections by requests that the
// other ranks must answer. While MPI_Finalize waits for the answers, it does not answer requests of
// other ranks. As a result, MPI_Finalize hangs if one rank calls it long before another rank. There
// is no hang if each rank sends its requests before it answers any request. The ranks therefore
// agree on a moment when all messages are finished. After the agreed moment, no rank calls MPI
// functions that make progress, except MPI_Finalize. The ranks cannot agree by messages, because
// messages need progress. To agree without messages, each rank publishes a name in the name server
// of its launcher, and looks up the names of other ranks.

namespace atoll_mpi {
namespace {

constexpr long first_nap = 200'000;
constexpr long longest_nap = 10'000'000;
constexpr long longest_wait = 5'000'000'000;

void nap(long nanoseconds) {
  const timespec time{0, nanoseconds};
  nanosleep(&time, nullptr);
}

/// Returns a number that is unique to the job. The number is part of the published names, because
/// names of earlier jobs may still be in the name server.
long number_of_job(MPI_Comm all, int rank) {
  long made = 0;
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  if (rank == 0) made = static_cast<long>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  MPI_Bcast(&made, 1, MPI_LONG, 0, all);
  return made;
}

/// The name that a rank publishes to announce that it has finished its messages. Rank 0 publishes
/// its name after all other ranks have published their names. The object allocates no memory, so
/// that a rank can end even if memory is exhausted.
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

/// Waits until a rank has published `name`. Returns false if the name is not published within 5
/// seconds.
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

/// A barrier of all ranks that makes no progress in MPI. In the normal case, all ranks have called
/// the function when it returns. The barrier gives up and returns early if the launcher has no name
/// server. A rank also gives up if the rank that it waits for does not publish its name in the name
/// server within 5 seconds.
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

namespace {

#if defined(OPEN_MPI)
constexpr const char* library = "openmpi";
#else
constexpr const char* library = "mpich";
#endif

MPI_Comm all_ranks = MPI_COMM_NULL;

static_assert(sizeof(MPI_Request) <= sizeof(atoll_mpi_request));

void store(atoll_mpi_request* into, MPI_Request request) {
  std::memcpy(into, static_cast<const void*>(&request), sizeof(MPI_Request));
}

MPI_Request load(const atoll_mpi_request* from) {
  MPI_Request request;
  std::memcpy(static_cast<void*>(&request), from, sizeof(MPI_Request));
  return request;
}

/// Makes MPICH with UCX send messages of up to 64 KiB eagerly over TCP, as Open MPI does. By
/// default, UCX sends only messages of up to a few KiB eagerly. If the user has set a value, that
/// value is kept.
void send_buffers_at_once() { setenv("UCX_RNDV_THRESH", "64k", 0); }

int begin() {
  send_buffers_at_once();
  int provided = 0;
  const int failure = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (failure != MPI_SUCCESS) return failure;
  if (provided < MPI_THREAD_SERIALIZED) return MPI_ERR_UNSUPPORTED_OPERATION;
  return MPI_Comm_dup(MPI_COMM_WORLD, &all_ranks);
}

void end() {
  MPI_Comm_free(&all_ranks);
#if !defined(OPEN_MPI)
  atoll_mpi::stand_still_together(MPI_COMM_WORLD);
#endif
  MPI_Finalize();
}

void abort_all(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

int rank() {
  int own = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  return own;
}

int size() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

void start_send(const void* data, int bytes, int to, int tag, atoll_mpi_request* started) {
  MPI_Request request;
  MPI_Isend(data, bytes, MPI_BYTE, to, tag, all_ranks, &request);
  store(started, request);
}

void start_receive(void* data, int capacity, int from, int tag, atoll_mpi_request* started) {
  MPI_Request request;
  MPI_Irecv(data, capacity, MPI_BYTE, from < 0 ? MPI_ANY_SOURCE : from, tag, all_ranks, &request);
  store(started, request);
}

int test(atoll_mpi_request* request, int* from, int* bytes) {
  MPI_Request tested = load(request);
  MPI_Status status;
  int complete = 0;
  MPI_Test(&tested, &complete, &status);
  if (complete == 0) return 0;
  store(request, tested);
  if (from != nullptr) *from = status.MPI_SOURCE;
  if (bytes != nullptr) MPI_Get_count(&status, MPI_BYTE, bytes);
  return 1;
}

// In Open MPI, MPI_Testany first looks for complete operations and then makes progress. If the
// progress completes an operation, only the next call reports the operation.
int test_any(atoll_mpi_request* const* requests, int count, int* from, int* bytes) {
  MPI_Request tested[ATOLL_MPI_MOST_TESTED];
  for (int i = 0; i < count; ++i) tested[i] = load(requests[i]);
  MPI_Status status;
  int complete = 0;
  int which = MPI_UNDEFINED;
  MPI_Testany(count, tested, &which, &complete, &status);
  if (complete == 0 || which == MPI_UNDEFINED) return -1;
  store(requests[which], tested[which]);
  *from = status.MPI_SOURCE;
  MPI_Get_count(&status, MPI_BYTE, bytes);
  return which;
}

void cancel(atoll_mpi_request* request) {
  MPI_Request given_up = load(request);
  MPI_Cancel(&given_up);
  MPI_Wait(&given_up, MPI_STATUS_IGNORE);
  store(request, given_up);
}

void all_gather(const void* mine, int bytes, void* all) {
  MPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, all_ranks);
}

void all_to_all(const void* mine, int bytes, void* all) {
  MPI_Alltoall(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, all_ranks);
}

constexpr atoll_mpi_api table = {
    ATOLL_MPI_API_VERSION, library, begin,    end,    abort_all,  rank,      size, start_send,
    start_receive,         test,    test_any, cancel, all_gather, all_to_all};

}  // namespace

extern "C" __attribute__((visibility("default"))) const atoll_mpi_api* atoll_mpi_plugin_api() {
  return &table;
}
