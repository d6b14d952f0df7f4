#ifndef ATOLL_SHMEM_AMO_H
#define ATOLL_SHMEM_AMO_H
// Declarations of the atomic memory operations, blocking and nonblocking.

#include "teams.h"
#include "declare.h"
#include "types.h"

// The next three macros declare operations that take a value. CHANGE is for operations that return
// nothing. EXCHANGE is for operations that return the previous value. EXCHANGE_NBI is for
// nonblocking operations, which store the previous value at `fetch`.
#define ATOLL_SHMEM_AMO_CHANGE(M, TYPE, STEM, GENERIC)                                             \
  M(TYPE, void, STEM, GENERIC, (TYPE * dest, TYPE value, int pe), (dest, value, pe))
#define ATOLL_SHMEM_AMO_EXCHANGE(M, TYPE, STEM, GENERIC)                                           \
  M(TYPE, TYPE, STEM, GENERIC, (TYPE * dest, TYPE value, int pe), (dest, value, pe))
#define ATOLL_SHMEM_AMO_EXCHANGE_NBI(M, TYPE, STEM, GENERIC)                                       \
  M(TYPE, void, STEM, GENERIC, (TYPE * fetch, TYPE * dest, TYPE value, int pe),                    \
    (fetch, dest, value, pe))

#define ATOLL_SHMEM_AMO_EXTENDED(TYPE, NAME, M)                                                    \
  M(TYPE, TYPE, NAME##_atomic_fetch, atomic_fetch, (const TYPE* source, int pe), (source, pe))     \
  M(TYPE, void, NAME##_atomic_fetch_nbi, atomic_fetch_nbi,                                         \
    (TYPE * fetch, const TYPE* source, int pe), (fetch, source, pe))                               \
  ATOLL_SHMEM_AMO_CHANGE(M, TYPE, NAME##_atomic_set, atomic_set)                                   \
  ATOLL_SHMEM_AMO_EXCHANGE(M, TYPE, NAME##_atomic_swap, atomic_swap)                               \
  ATOLL_SHMEM_AMO_EXCHANGE_NBI(M, TYPE, NAME##_atomic_swap_nbi, atomic_swap_nbi)

#define ATOLL_SHMEM_AMO_STANDARD(TYPE, NAME, M)                                                    \
  M(TYPE, TYPE, NAME##_atomic_compare_swap, atomic_compare_swap,                                   \
    (TYPE * dest, TYPE cond, TYPE value, int pe), (dest, cond, value, pe))                         \
  M(TYPE, void, NAME##_atomic_compare_swap_nbi, atomic_compare_swap_nbi,                           \
    (TYPE * fetch, TYPE * dest, TYPE cond, TYPE value, int pe), (fetch, dest, cond, value, pe))    \
  M(TYPE, TYPE, NAME##_atomic_fetch_inc, atomic_fetch_inc, (TYPE * dest, int pe), (dest, pe))      \
  M(TYPE, void, NAME##_atomic_fetch_inc_nbi, atomic_fetch_inc_nbi,                                 \
    (TYPE * fetch, TYPE * dest, int pe), (fetch, dest, pe))                                        \
  M(TYPE, void, NAME##_atomic_inc, atomic_inc, (TYPE * dest, int pe), (dest, pe))                  \
  ATOLL_SHMEM_AMO_CHANGE(M, TYPE, NAME##_atomic_add, atomic_add)                                   \
  ATOLL_SHMEM_AMO_EXCHANGE(M, TYPE, NAME##_atomic_fetch_add, atomic_fetch_add)                     \
  ATOLL_SHMEM_AMO_EXCHANGE_NBI(M, TYPE, NAME##_atomic_fetch_add_nbi, atomic_fetch_add_nbi)

#define ATOLL_SHMEM_AMO_BITWISE(TYPE, NAME, M)                                                     \
  ATOLL_SHMEM_AMO_CHANGE(M, TYPE, NAME##_atomic_and, atomic_and)                                   \
  ATOLL_SHMEM_AMO_CHANGE(M, TYPE, NAME##_atomic_or, atomic_or)                                     \
  ATOLL_SHMEM_AMO_CHANGE(M, TYPE, NAME##_atomic_xor, atomic_xor)                                   \
  ATOLL_SHMEM_AMO_EXCHANGE(M, TYPE, NAME##_atomic_fetch_and, atomic_fetch_and)                     \
  ATOLL_SHMEM_AMO_EXCHANGE(M, TYPE, NAME##_atomic_fetch_or, atomic_fetch_or)                       \
  ATOLL_SHMEM_AMO_EXCHANGE(M, TYPE, NAME##_atomic_fetch_xor, atomic_fetch_xor)                     \
  ATOLL_SHMEM_AMO_EXCHANGE_NBI(M, TYPE, NAME##_atomic_fetch_and_nbi, atomic_fetch_and_nbi)         \
  ATOLL_SHMEM_AMO_EXCHANGE_NBI(M, TYPE, NAME##_atomic_fetch_or_nbi, atomic_fetch_or_nbi)           \
  ATOLL_SHMEM_AMO_EXCHANGE_NBI(M, TYPE, NAME##_atomic_fetch_xor_nbi, atomic_fetch_xor_nbi)

ATOLL_SHMEM_AMO_EXTENDED_TABLE(ATOLL_SHMEM_AMO_EXTENDED, ATOLL_SHMEM_DECLARE_BOTH)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_AMO_STANDARD, ATOLL_SHMEM_DECLARE_BOTH)
ATOLL_SHMEM_AMO_BITWISE_TABLE(ATOLL_SHMEM_AMO_BITWISE, ATOLL_SHMEM_DECLARE_BOTH)

#endif
