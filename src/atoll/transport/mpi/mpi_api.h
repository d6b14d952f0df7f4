#pragma once
// A table of plain C functions through which Atoll calls an MPI library. Atoll has a plug-in for
// each MPI library, because the types of MPI differ between libraries. The plug-in fills the table.
// All functions use a communicator that Atoll has made. An error of MPI ends the job.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A send or receive in flight. All words are 0 if no operation is in flight.
typedef struct atoll_mpi_request {
  uint64_t words[2];
} atoll_mpi_request;

typedef struct atoll_mpi_api {
  int version;          ///< value of `ATOLL_MPI_API_VERSION` when the plug-in was compiled
  const char* library;  ///< name of the MPI library: "openmpi" or "mpich"

  /// Starts MPI. Returns 0 after success, and an error code of MPI after a failure. After `begin`,
  /// any thread of the process may call the functions of the table, but only one thread at a time.
  int (*begin)(void);
  /// Ends MPI. All ranks must call `end`, and must call no other function of the table after `end`.
  void (*end)(void);
  /// Ends all ranks with the exit status `status`. Does not return.
  void (*abort)(int status);
  int (*rank)(void);
  int (*size)(void);

  /// Starts to send `bytes` bytes at `data` to the rank `to`. The caller must leave `data`
  /// unchanged until `test` has reported completion.
  void (*start_send)(const void* data, int bytes, int to, int tag, atoll_mpi_request* started);
  /// Starts to receive a message of at most `capacity` bytes from the rank `from`. If `from` is -1,
  /// the message may come from any rank.
  void (*start_receive)(void* data, int capacity, int from, int tag, atoll_mpi_request* started);
  /// Returns nonzero if the operation is complete. After a nonzero result, the caller must not test
  /// the operation again. For a complete receive, the function stores the sender in `from` and the
  /// length in `bytes`. The pointers `from` and `bytes` may be null.
  int (*test)(atoll_mpi_request* request, int* from, int* bytes);
  /// Returns the index in `requests` of a complete receive. Returns -1 if no receive is known to be
  /// complete. The number `count` must be at most `ATOLL_MPI_MOST_TESTED`. The call costs as much
  /// as one call of `test`. Each complete receive is returned only once.
  int (*test_any)(atoll_mpi_request* const* requests, int count, int* from, int* bytes);
  /// Cancels a receive that is not complete.
  void (*cancel)(atoll_mpi_request* request);

  /// The functions `all_gather` and `all_to_all` block, and all ranks must call them. In
  /// `all_gather`, each rank sends the same `bytes` bytes to all ranks. In `all_to_all`, each rank
  /// sends `bytes` bytes to each rank, with different data for each rank.
  void (*all_gather)(const void* mine, int bytes, void* all);
  void (*all_to_all)(const void* mine, int bytes, void* all);
} atoll_mpi_api;

#define ATOLL_MPI_API_VERSION 3
#define ATOLL_MPI_MOST_TESTED 8

/// Type of the function that a plug-in exports. The function returns the plug-in's table.
typedef const atoll_mpi_api* (*atoll_mpi_plugin)(void);
#define ATOLL_MPI_PLUGIN_SYMBOL "atoll_mpi_plugin_api"

#ifdef __cplusplus
}
#endif
