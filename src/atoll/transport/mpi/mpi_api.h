#pragma once
// The functions that Atoll needs of an MPI library, as a table of plain C functions. MPI's own
// types differ between libraries, so a plug-in for each library fills the table. All functions use
// a communicator of Atoll's own, and an error of MPI ends the job.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An operation in flight. Zeroed: none.
typedef struct atoll_mpi_request {
  uint64_t words[2];
} atoll_mpi_request;

typedef struct atoll_mpi_api {
  int version;          ///< ATOLL_MPI_API_VERSION
  const char* library;  ///< "openmpi" or "mpich"

  /// Returns 0, or an error code of MPI. Threads may call this table, one at a time, once it has
  /// begun.
  int (*begin)(void);
  /// Ends MPI. Collective; no other call may follow.
  void (*end)(void);
  /// Ends all ranks. Does not return.
  void (*abort)(int status);
  int (*rank)(void);
  int (*size)(void);

  /// Starts a send. `data` belongs to MPI until `test` has reported completion.
  void (*start_send)(const void* data, int bytes, int to, int tag, atoll_mpi_request* started);
  /// Starts a receive from rank `from`; -1: from any.
  void (*start_receive)(void* data, int capacity, int from, int tag, atoll_mpi_request* started);
  /// Returns nonzero when the operation is complete, once. A receive sets `from` and `bytes`,
  /// either of which may be null.
  int (*test)(atoll_mpi_request* request, int* from, int* bytes);
  /// Returns the index of a complete receive, once; -1: none is seen yet. There may be at most
  /// ATOLL_MPI_MOST_TESTED receives; the call costs as much as one `test`.
  int (*test_any)(atoll_mpi_request* const* requests, int count, int* from, int* bytes);
  /// Gives up a receive.
  void (*cancel)(atoll_mpi_request* request);

  /// The next two functions are blocking and collective. The first gives `bytes` bytes of each rank
  /// to all ranks, the second different `bytes` bytes of each rank to each.
  void (*all_gather)(const void* mine, int bytes, void* all);
  void (*all_to_all)(const void* mine, int bytes, void* all);
} atoll_mpi_api;

#define ATOLL_MPI_API_VERSION 3
#define ATOLL_MPI_MOST_TESTED 8

/// The function that a plug-in exports.
typedef const atoll_mpi_api* (*atoll_mpi_plugin)(void);
#define ATOLL_MPI_PLUGIN_SYMBOL "atoll_mpi_plugin_api"

#ifdef __cplusplus
}
#endif
