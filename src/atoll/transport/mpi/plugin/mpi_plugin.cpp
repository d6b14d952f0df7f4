// The table of mpi_api.h for the MPI library whose header this is compiled with.

#include "atoll/transport/mpi/mpi_api.h"
#include "atoll/transport/mpi/plugin/end_together.hpp"

#include <cstdlib>
#include <cstring>
#include <mpi.h>

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

/// MPICH over UCX would ask the receiver of a few KiB over TCP first, where Open MPI sends up to
/// 64 KiB at once. What the user has set stands.
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

// Open MPI looks at what is complete first and works then, so that it says with the next call what
// this one has brought about.
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
