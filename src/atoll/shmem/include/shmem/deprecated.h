#ifndef ATOLL_SHMEM_DEPRECATED_H
#define ATOLL_SHMEM_DEPRECATED_H
// Declarations of functions that OpenSHMEM keeps only for old programs.

#include "collectives.h"
#include "declare.h"
#include "setup.h"
#include "sync.h"
#include "types.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the standard's names
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

// Functions of old versions, in which names had no prefix shmem_.
ATOLL_SHMEM_FUNCTION(void, start_pes, (int npes));
ATOLL_SHMEM_FUNCTION(int, _my_pe, (void));
ATOLL_SHMEM_FUNCTION(int, _num_pes, (void));
ATOLL_SHMEM_FUNCTION(void*, shmalloc, (size_t size));
ATOLL_SHMEM_FUNCTION(void, shfree, (void* ptr));
ATOLL_SHMEM_FUNCTION(void*, shrealloc, (void* ptr, size_t size));
ATOLL_SHMEM_FUNCTION(void*, shmemalign, (size_t alignment, size_t size));
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

// Operations for machines without cache coherence. In this library, the cache operations do
// nothing.
ATOLL_SHMEM_FUNCTION(void, shmem_set_cache_inv, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_set_cache_line_inv, (void* dest));
ATOLL_SHMEM_FUNCTION(void, shmem_clear_cache_inv, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_clear_cache_line_inv, (void* dest));
ATOLL_SHMEM_FUNCTION(void, shmem_udcflush, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_udcflush_line, (void* dest));

// Atomic operations under names without the word atomic.
#define ATOLL_SHMEM_OLD_AMO_EXTENDED(TYPE, NAME, M)                                                \
  M(TYPE, TYPE, NAME##_fetch, fetch, (const TYPE* source, int pe), (source, pe))                   \
  M(TYPE, void, NAME##_set, set, (TYPE * dest, TYPE value, int pe), (dest, value, pe))             \
  M(TYPE, TYPE, NAME##_swap, swap, (TYPE * dest, TYPE value, int pe), (dest, value, pe))
#define ATOLL_SHMEM_OLD_AMO(TYPE, NAME, M)                                                         \
  M(TYPE, TYPE, NAME##_cswap, cswap, (TYPE * dest, TYPE cond, TYPE value, int pe),                 \
    (dest, cond, value, pe))                                                                       \
  M(TYPE, TYPE, NAME##_finc, finc, (TYPE * dest, int pe), (dest, pe))                              \
  M(TYPE, void, NAME##_inc, inc, (TYPE * dest, int pe), (dest, pe))                                \
  M(TYPE, TYPE, NAME##_fadd, fadd, (TYPE * dest, TYPE value, int pe), (dest, value, pe))           \
  M(TYPE, void, NAME##_add, add, (TYPE * dest, TYPE value, int pe), (dest, value, pe))

ATOLL_SHMEM_OLD_AMO_EXTENDED_DISTINCT(ATOLL_SHMEM_OLD_AMO_EXTENDED, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_OLD_AMO_DISTINCT(ATOLL_SHMEM_OLD_AMO, ATOLL_SHMEM_DECLARE)

// Deprecated functions that wait for a variable. The first family (wait) waits until a variable
// differs from a given value. Functions without a type in their names wait for a long. Of all
// functions that wait, only the deprecated functions support short integers.
#define ATOLL_SHMEM_OLD_WAIT(TYPE, NAME, M)                                                        \
  M(TYPE, void, NAME##_wait, wait, (volatile TYPE * ivar, TYPE cmp_value), (ivar, cmp_value))

ATOLL_SHMEM_OLD_INTEGERS(ATOLL_SHMEM_OLD_WAIT, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_SHORTS(ATOLL_SHMEM_WAIT_UNTIL, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_SHORTS(ATOLL_SHMEM_TEST, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_FUNCTION(void, shmem_wait, (volatile long* ivar, long cmp_value));
ATOLL_SHMEM_FUNCTION(void, shmem_wait_until, (volatile long* ivar, int cmp, long cmp_value));

// Collectives on active sets, for elements of 32 or 64 bits.
#define ATOLL_SHMEM_OLD_COLLECTIVES(TYPE, BITS, M)                                                 \
  M(TYPE, void, alltoall##BITS, alltoall,                                                          \
    (void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, int PE_size,   \
     long* pSync),                                                                                 \
    (dest, source, nelems, PE_start, logPE_stride, PE_size, pSync))                                \
  M(TYPE, void, alltoalls##BITS, alltoalls,                                                        \
    (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start,    \
     int logPE_stride, int PE_size, long* pSync),                                                  \
    (dest, source, dst, sst, nelems, PE_start, logPE_stride, PE_size, pSync))                      \
  M(TYPE, void, broadcast##BITS, broadcast,                                                        \
    (void* dest, const void* source, size_t nelems, int PE_root, int PE_start, int logPE_stride,   \
     int PE_size, long* pSync),                                                                    \
    (dest, source, nelems, PE_root, PE_start, logPE_stride, PE_size, pSync))                       \
  M(TYPE, void, collect##BITS, collect,                                                            \
    (void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, int PE_size,   \
     long* pSync),                                                                                 \
    (dest, source, nelems, PE_start, logPE_stride, PE_size, pSync))                                \
  M(TYPE, void, fcollect##BITS, fcollect,                                                          \
    (void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, int PE_size,   \
     long* pSync),                                                                                 \
    (dest, source, nelems, PE_start, logPE_stride, PE_size, pSync))

ATOLL_SHMEM_OLD_SIZES(ATOLL_SHMEM_OLD_COLLECTIVES, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_FUNCTION(void, shmem_barrier,
                     (int PE_start, int logPE_stride, int PE_size, long* pSync));
ATOLL_SHMEM_FUNCTION(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long* pSync));

// Reductions on active sets. An active set is a group of PEs, which the arguments PE_start,
// logPE_stride and PE_size describe.
#define ATOLL_SHMEM_OLD_REDUCE(M, TYPE, STEM, GENERIC)                                             \
  M(TYPE, void, STEM, GENERIC,                                                                     \
    (TYPE * dest, const TYPE* source, int nreduce, int PE_start, int logPE_stride, int PE_size,    \
     TYPE* pWrk, long* pSync),                                                                     \
    (dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync))
#define ATOLL_SHMEM_OLD_BITWISE(TYPE, NAME, M)                                                     \
  ATOLL_SHMEM_OLD_REDUCE(M, TYPE, NAME##_and_to_all, and_to_all)                                   \
  ATOLL_SHMEM_OLD_REDUCE(M, TYPE, NAME##_or_to_all, or_to_all)                                     \
  ATOLL_SHMEM_OLD_REDUCE(M, TYPE, NAME##_xor_to_all, xor_to_all)
#define ATOLL_SHMEM_OLD_COMPARE(TYPE, NAME, M)                                                     \
  ATOLL_SHMEM_OLD_REDUCE(M, TYPE, NAME##_max_to_all, max_to_all)                                   \
  ATOLL_SHMEM_OLD_REDUCE(M, TYPE, NAME##_min_to_all, min_to_all)
#define ATOLL_SHMEM_OLD_ARITHMETIC(TYPE, NAME, M)                                                  \
  ATOLL_SHMEM_OLD_REDUCE(M, TYPE, NAME##_sum_to_all, sum_to_all)                                   \
  ATOLL_SHMEM_OLD_REDUCE(M, TYPE, NAME##_prod_to_all, prod_to_all)

ATOLL_SHMEM_OLD_INTEGERS(ATOLL_SHMEM_OLD_BITWISE, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_OLD_NUMBERS(ATOLL_SHMEM_OLD_COMPARE, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_OLD_NUMBERS(ATOLL_SHMEM_OLD_ARITHMETIC, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_COMPLEXES(ATOLL_SHMEM_OLD_ARITHMETIC, ATOLL_SHMEM_DECLARE)

#endif
