#pragma once
// What Atoll needs of an MPI library, as a table of plain C functions. MPI's own types differ from
// library to library, so they stay on the other side: a plug-in for each library fills the table.
// All functions work on a communicator of Atoll's own, and an error of MPI ends the job.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An operation under way. Zeroed: none.
typedef struct atoll_mpi_request {
  uint64_t words[2];
} atoll_mpi_request;

typedef struct atoll_mpi_api {
  int version;          ///< ATOLL_MPI_API_VERSION
  const char* library;  ///< "openmpi" or "mpich"

  /// 0, or a code of MPI's. Threads may call this table, one at a time, once it has begun.
  int (*begin)(void);
  /// Collective; nothing may follow.
  void (*end)(void);
  /// Ends all ranks. Does not return.
  void (*abort)(int status);
  int (*rank)(void);
  int (*size)(void);

  /// `data` belongs to MPI until `test` has said that the operation is complete.
  void (*start_send)(const void* data, int bytes, int to, int tag, atoll_mpi_request* started);
  /// From this rank; -1: from any.
  void (*start_receive)(void* data, int capacity, int from, int tag, atoll_mpi_request* started);
  /// Nonzero when it is complete, once. `from` and `bytes` (may be null) are set by a receive.
  int (*test)(atoll_mpi_request* request, int* from, int* bytes);
  /// Which of these receives, at most ATOLL_MPI_MOST_TESTED, is complete, once, at the price of one
  /// `test`; -1: none is seen yet.
  int (*test_any)(atoll_mpi_request* const* requests, int count, int* from, int* bytes);
  /// Gives up a receive.
  void (*cancel)(atoll_mpi_request* request);

  /// Blocking and collective, `bytes` from each rank.
  void (*all_gather)(const void* mine, int bytes, void* all);
  void (*all_to_all)(const void* mine, int bytes, void* all);
} atoll_mpi_api;

#define ATOLL_MPI_API_VERSION 3
#define ATOLL_MPI_MOST_TESTED 8

/// What a plug-in exports.
typedef const atoll_mpi_api* (*atoll_mpi_plugin)(void);
#define ATOLL_MPI_PLUGIN_SYMBOL "atoll_mpi_plugin_api"

#ifdef __cplusplus
}
#endif
