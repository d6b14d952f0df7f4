#ifndef ATOLL_SHMEM_COLLECTIVES_H
#define ATOLL_SHMEM_COLLECTIVES_H
// Declarations of the collectives on teams, and the lengths of work arrays for collectives on
// active sets.

#include "declare.h"
#include "teams.h"
#include "types.h"

// Minimum lengths of the work arrays that programs pass. The length of pSync is a number of longs.
// The length of pWrk is a number of elements of the reduced type.
#define SHMEM_SYNC_VALUE 0
#define SHMEM_SYNC_SIZE 64
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 64

// In the name of a function, a type stands before the verb (shmem_int_broadcast), but mem stands
// after the verb (shmem_broadcastmem).
#define ATOLL_SHMEM_COLLECTIVES(M, TYPE, VALUE, BEFORE, AFTER)                                     \
  M(TYPE, int, BEFORE##alltoall##AFTER, alltoall,                                                  \
    (shmem_team_t team, VALUE * dest, const VALUE* source, size_t nelems),                         \
    (team, dest, source, nelems))                                                                  \
  M(TYPE, int, BEFORE##alltoalls##AFTER, alltoalls,                                                \
    (shmem_team_t team, VALUE * dest, const VALUE* source, ptrdiff_t dst, ptrdiff_t sst,           \
     size_t nelems),                                                                               \
    (team, dest, source, dst, sst, nelems))                                                        \
  M(TYPE, int, BEFORE##broadcast##AFTER, broadcast,                                                \
    (shmem_team_t team, VALUE * dest, const VALUE* source, size_t nelems, int PE_root),            \
    (team, dest, source, nelems, PE_root))                                                         \
  M(TYPE, int, BEFORE##collect##AFTER, collect,                                                    \
    (shmem_team_t team, VALUE * dest, const VALUE* source, size_t nelems),                         \
    (team, dest, source, nelems))                                                                  \
  M(TYPE, int, BEFORE##fcollect##AFTER, fcollect,                                                  \
    (shmem_team_t team, VALUE * dest, const VALUE* source, size_t nelems),                         \
    (team, dest, source, nelems))
#define ATOLL_SHMEM_COLLECT(TYPE, NAME, M) ATOLL_SHMEM_COLLECTIVES(M, TYPE, TYPE, NAME##_, )
#define ATOLL_SHMEM_COLLECT_MEM(M) ATOLL_SHMEM_COLLECTIVES(M, unsigned char, void, , mem)

#define ATOLL_SHMEM_REDUCE(M, TYPE, STEM, GENERIC)                                                 \
  M(TYPE, int, STEM, GENERIC,                                                                      \
    (shmem_team_t team, TYPE * dest, const TYPE* source, size_t nreduce),                          \
    (team, dest, source, nreduce))
#define ATOLL_SHMEM_REDUCE_BITWISE(TYPE, NAME, M)                                                  \
  ATOLL_SHMEM_REDUCE(M, TYPE, NAME##_and_reduce, and_reduce)                                       \
  ATOLL_SHMEM_REDUCE(M, TYPE, NAME##_or_reduce, or_reduce)                                         \
  ATOLL_SHMEM_REDUCE(M, TYPE, NAME##_xor_reduce, xor_reduce)
#define ATOLL_SHMEM_REDUCE_COMPARE(TYPE, NAME, M)                                                  \
  ATOLL_SHMEM_REDUCE(M, TYPE, NAME##_max_reduce, max_reduce)                                       \
  ATOLL_SHMEM_REDUCE(M, TYPE, NAME##_min_reduce, min_reduce)
#define ATOLL_SHMEM_REDUCE_ARITHMETIC(TYPE, NAME, M)                                               \
  ATOLL_SHMEM_REDUCE(M, TYPE, NAME##_sum_reduce, sum_reduce)                                       \
  ATOLL_SHMEM_REDUCE(M, TYPE, NAME##_prod_reduce, prod_reduce)

ATOLL_SHMEM_FUNCTION(void, shmem_barrier_all, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_sync_all, (void));
ATOLL_SHMEM_FUNCTION(int, shmem_team_sync, (shmem_team_t team));
ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_COLLECT, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_COLLECT_MEM(ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_REDUCE_BITWISE_TABLE(ATOLL_SHMEM_REDUCE_BITWISE, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_REDUCE_COMPARE, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_REDUCE_ARITHMETIC_TABLE(ATOLL_SHMEM_REDUCE_ARITHMETIC, ATOLL_SHMEM_DECLARE)

#endif
