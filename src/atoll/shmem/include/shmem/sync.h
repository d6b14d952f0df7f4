#ifndef ATOLL_SHMEM_SYNC_H
#define ATOLL_SHMEM_SYNC_H
// Declarations of synchronization: waiting for variables, memory ordering, and locks.

#include "declare.h"
#include "teams.h"
#include "types.h"

// Functions that wait for or test variables. The variables may be volatile, because earlier
// versions of OpenSHMEM required volatile variables.

#define SHMEM_CMP_EQ 1
#define SHMEM_CMP_NE 2
#define SHMEM_CMP_GT 3
#define SHMEM_CMP_GE 4
#define SHMEM_CMP_LT 5
#define SHMEM_CMP_LE 6

#define ATOLL_SHMEM_WAIT_UNTIL(TYPE, NAME, M)                                                      \
  M(TYPE, void, NAME##_wait_until, wait_until, (volatile TYPE * ivar, int cmp, TYPE cmp_value),    \
    (ivar, cmp, cmp_value))
#define ATOLL_SHMEM_TEST(TYPE, NAME, M)                                                            \
  M(TYPE, int, NAME##_test, test, (volatile TYPE * ivar, int cmp, TYPE cmp_value),                 \
    (ivar, cmp, cmp_value))

// The next macros are for functions on several variables. A function compares all variables with
// one value, or each variable with a value of its own (_vector). VALUE is the type of the last
// parameter.
#define ATOLL_SHMEM_SYNC_SET(M, TYPE, RESULT, STEM, GENERIC, VALUE, LAST)                          \
  M(TYPE, RESULT, STEM, GENERIC,                                                                   \
    (volatile TYPE * ivars, size_t nelems, const int* status, int cmp, VALUE LAST),                \
    (ivars, nelems, status, cmp, LAST))
#define ATOLL_SHMEM_SYNC_SOME(M, TYPE, STEM, GENERIC, VALUE, LAST)                                 \
  M(TYPE, size_t, STEM, GENERIC,                                                                   \
    (volatile TYPE * ivars, size_t nelems, size_t* indices, const int* status, int cmp,            \
     VALUE LAST),                                                                                  \
    (ivars, nelems, indices, status, cmp, LAST))

#define ATOLL_SHMEM_WAIT_UNTIL_SET(TYPE, NAME, M)                                                  \
  ATOLL_SHMEM_SYNC_SET(M, TYPE, void, NAME##_wait_until_all, wait_until_all, TYPE, cmp_value)      \
  ATOLL_SHMEM_SYNC_SET(M, TYPE, size_t, NAME##_wait_until_any, wait_until_any, TYPE, cmp_value)    \
  ATOLL_SHMEM_SYNC_SOME(M, TYPE, NAME##_wait_until_some, wait_until_some, TYPE, cmp_value)         \
  ATOLL_SHMEM_SYNC_SET(M, TYPE, void, NAME##_wait_until_all_vector, wait_until_all_vector,         \
                       const TYPE*, cmp_values)                                                    \
  ATOLL_SHMEM_SYNC_SET(M, TYPE, size_t, NAME##_wait_until_any_vector, wait_until_any_vector,       \
                       const TYPE*, cmp_values)                                                    \
  ATOLL_SHMEM_SYNC_SOME(M, TYPE, NAME##_wait_until_some_vector, wait_until_some_vector,            \
                        const TYPE*, cmp_values)
#define ATOLL_SHMEM_TEST_SET(TYPE, NAME, M)                                                        \
  ATOLL_SHMEM_SYNC_SET(M, TYPE, int, NAME##_test_all, test_all, TYPE, cmp_value)                   \
  ATOLL_SHMEM_SYNC_SET(M, TYPE, size_t, NAME##_test_any, test_any, TYPE, cmp_value)                \
  ATOLL_SHMEM_SYNC_SOME(M, TYPE, NAME##_test_some, test_some, TYPE, cmp_value)                     \
  ATOLL_SHMEM_SYNC_SET(M, TYPE, int, NAME##_test_all_vector, test_all_vector, const TYPE*,         \
                       cmp_values)                                                                 \
  ATOLL_SHMEM_SYNC_SET(M, TYPE, size_t, NAME##_test_any_vector, test_any_vector, const TYPE*,      \
                       cmp_values)                                                                 \
  ATOLL_SHMEM_SYNC_SOME(M, TYPE, NAME##_test_some_vector, test_some_vector, const TYPE*, cmp_values)

ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_WAIT_UNTIL, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TEST, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_WAIT_UNTIL_SET, ATOLL_SHMEM_DECLARE)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TEST_SET, ATOLL_SHMEM_DECLARE)

ATOLL_SHMEM_FUNCTION(uint64_t, shmem_signal_wait_until,
                     (volatile uint64_t* sig_addr, int cmp, uint64_t cmp_value));

// Functions that order the operations of a PE.

ATOLL_SHMEM_FUNCTION(void, shmem_fence, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_ctx_fence, (shmem_ctx_t ctx));
ATOLL_SHMEM_FUNCTION(void, shmem_quiet, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_ctx_quiet, (shmem_ctx_t ctx));

// Distributed locks. A lock may be volatile, because earlier versions of OpenSHMEM required
// volatile locks.

ATOLL_SHMEM_FUNCTION(void, shmem_set_lock, (volatile long* lock));
ATOLL_SHMEM_FUNCTION(void, shmem_clear_lock, (volatile long* lock));
ATOLL_SHMEM_FUNCTION(int, shmem_test_lock, (volatile long* lock));

#endif
