#ifndef ATOLL_SHMEM_GENERIC_C_H
#define ATOLL_SHMEM_GENERIC_C_H
// The generic names for C11, such as shmem_put, are macros. Each macro selects a function by the
// type to which a pointer argument points. If the first argument may be a context, the macro also
// tests whether the first argument is a context.

#include "teams.h"
#include "types.h"

// A generic macro selects this function if its operation does not exist for the type of the
// argument. The function takes no arguments, so the compiler reports an error.
void atoll_shmem_no_operation_for_this_type(void);

#define ATOLL_SHMEM_FIRST_OF(FIRST, ...) (FIRST)
#define ATOLL_SHMEM_SECOND_OF(FIRST, SECOND, ...) (SECOND)
#define ATOLL_SHMEM_FIRST(...) ATOLL_SHMEM_FIRST_OF(__VA_ARGS__, 0)
#define ATOLL_SHMEM_SECOND(...) ATOLL_SHMEM_SECOND_OF(__VA_ARGS__, 0, 0)

// The next macros expand to the associations of _Generic for one type, with a comma in front.
// Objects that are only read may be const. Variables for which a program waits may be volatile.
#define ATOLL_SHMEM_IS(TYPE, NAME, OP) , TYPE* : shmem_##NAME##OP
#define ATOLL_SHMEM_IS_CONST(TYPE, NAME, OP)                                                       \
  , TYPE* : shmem_##NAME##OP, const TYPE* : shmem_##NAME##OP
#define ATOLL_SHMEM_IS_VOLATILE(TYPE, NAME, OP)                                                    \
  , TYPE* : shmem_##NAME##OP, volatile TYPE* : shmem_##NAME##OP
#define ATOLL_SHMEM_IS_ON_CTX(TYPE, NAME, OP) , TYPE* : shmem_ctx_##NAME##OP
#define ATOLL_SHMEM_IS_CONST_ON_CTX(TYPE, NAME, OP)                                                \
  , TYPE* : shmem_ctx_##NAME##OP, const TYPE* : shmem_ctx_##NAME##OP

// The next macros select the function with the suffix OP by the type of an argument. The type must
// be in the table KIND. ON_CTX allows a context as the first argument. ON_TEAM expects a team as
// the first argument.
#define ATOLL_SHMEM_SELECT(IS, KIND, OP, ...)                                                      \
  _Generic(ATOLL_SHMEM_FIRST(__VA_ARGS__)                                                          \
               ATOLL_SHMEM_##KIND##_DISTINCT(ATOLL_SHMEM_##IS, OP))(__VA_ARGS__)
#define ATOLL_SHMEM_SELECT_ON_CTX(IS, KIND, OP, ...)                                               \
  _Generic(ATOLL_SHMEM_FIRST(__VA_ARGS__) ATOLL_SHMEM_##KIND##_DISTINCT(ATOLL_SHMEM_##IS, OP),     \
      shmem_ctx_t: _Generic(ATOLL_SHMEM_SECOND(__VA_ARGS__)                                        \
                                ATOLL_SHMEM_##KIND##_DISTINCT(ATOLL_SHMEM_##IS##_ON_CTX, OP),      \
          default: atoll_shmem_no_operation_for_this_type))(__VA_ARGS__)
#define ATOLL_SHMEM_SELECT_ON_TEAM(IS, KIND, OP, ...)                                              \
  _Generic(ATOLL_SHMEM_SECOND(__VA_ARGS__)                                                         \
               ATOLL_SHMEM_##KIND##_DISTINCT(ATOLL_SHMEM_##IS, OP))(__VA_ARGS__)

// Generic names of remote memory access and of put with signal.
#define shmem_put(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _put, __VA_ARGS__)
#define shmem_get(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _get, __VA_ARGS__)
#define shmem_iput(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _iput, __VA_ARGS__)
#define shmem_iget(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _iget, __VA_ARGS__)
#define shmem_p(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _p, __VA_ARGS__)
#define shmem_g(...) ATOLL_SHMEM_SELECT_ON_CTX(IS_CONST, RMA, _g, __VA_ARGS__)
#define shmem_put_nbi(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _get_nbi, __VA_ARGS__)
#define shmem_put_signal(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, RMA, _put_signal_nbi, __VA_ARGS__)

// Generic names of atomic memory operations.
#define shmem_atomic_fetch(...)                                                                    \
  ATOLL_SHMEM_SELECT_ON_CTX(IS_CONST, AMO_EXTENDED, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_EXTENDED, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...)                                                                     \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_EXTENDED, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...)                                                                \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_EXTENDED, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...)                                                                 \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_EXTENDED, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...)                                                             \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...)                                                                \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...)                                                                \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO, _atomic_add, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...)                                                         \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...)                                                            \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...)                                                            \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_and(...)                                                                \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...)                                                                 \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...)                                                                \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...)                                                            \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...)                                                             \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...)                                                            \
  ATOLL_SHMEM_SELECT_ON_CTX(IS, AMO_BITWISE, _atomic_fetch_xor_nbi, __VA_ARGS__)

// Generic names of collectives. The name shmem_sync also belongs to a deprecated function on active
// sets.
#define shmem_alltoall(...) ATOLL_SHMEM_SELECT_ON_TEAM(IS, RMA, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) ATOLL_SHMEM_SELECT_ON_TEAM(IS, RMA, _alltoalls, __VA_ARGS__)
#define shmem_broadcast(...) ATOLL_SHMEM_SELECT_ON_TEAM(IS, RMA, _broadcast, __VA_ARGS__)
#define shmem_collect(...) ATOLL_SHMEM_SELECT_ON_TEAM(IS, RMA, _collect, __VA_ARGS__)
#define shmem_fcollect(...) ATOLL_SHMEM_SELECT_ON_TEAM(IS, RMA, _fcollect, __VA_ARGS__)
#define shmem_and_reduce(...)                                                                      \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS, REDUCE_BITWISE, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) ATOLL_SHMEM_SELECT_ON_TEAM(IS, REDUCE_BITWISE, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...)                                                                      \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS, REDUCE_BITWISE, _xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) ATOLL_SHMEM_SELECT_ON_TEAM(IS, RMA, _max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) ATOLL_SHMEM_SELECT_ON_TEAM(IS, RMA, _min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...)                                                                      \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS, REDUCE_ARITHMETIC, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...)                                                                     \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS, REDUCE_ARITHMETIC, _prod_reduce, __VA_ARGS__)
#define shmem_sync(...)                                                                            \
  _Generic(ATOLL_SHMEM_FIRST(__VA_ARGS__), shmem_team_t: shmem_team_sync, default: shmem_sync)(    \
      __VA_ARGS__)

// Generic names of point-to-point synchronization.
#define shmem_wait_until(...) ATOLL_SHMEM_SELECT(IS_VOLATILE, SYNC, _wait_until, __VA_ARGS__)
#define shmem_test(...) ATOLL_SHMEM_SELECT(IS_VOLATILE, SYNC, _test, __VA_ARGS__)
#define shmem_wait_until_all(...) ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_all_vector(...)                                                           \
  ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any(...) ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_any_vector(...)                                                           \
  ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some(...)                                                                 \
  ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _wait_until_some, __VA_ARGS__)
#define shmem_wait_until_some_vector(...)                                                          \
  ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all(...) ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _test_all, __VA_ARGS__)
#define shmem_test_all_vector(...)                                                                 \
  ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _test_all_vector, __VA_ARGS__)
#define shmem_test_any(...) ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _test_any, __VA_ARGS__)
#define shmem_test_any_vector(...)                                                                 \
  ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _test_any_vector, __VA_ARGS__)
#define shmem_test_some(...) ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _test_some, __VA_ARGS__)
#define shmem_test_some_vector(...)                                                                \
  ATOLL_SHMEM_SELECT(IS_VOLATILE, AMO, _test_some_vector, __VA_ARGS__)

// Generic names of atomic operations that are deprecated.
#define shmem_fetch(...) ATOLL_SHMEM_SELECT(IS_CONST, OLD_AMO_EXTENDED, _fetch, __VA_ARGS__)
#define shmem_set(...) ATOLL_SHMEM_SELECT(IS, OLD_AMO_EXTENDED, _set, __VA_ARGS__)
#define shmem_swap(...) ATOLL_SHMEM_SELECT(IS, OLD_AMO_EXTENDED, _swap, __VA_ARGS__)
#define shmem_cswap(...) ATOLL_SHMEM_SELECT(IS, OLD_AMO, _cswap, __VA_ARGS__)
#define shmem_finc(...) ATOLL_SHMEM_SELECT(IS, OLD_AMO, _finc, __VA_ARGS__)
#define shmem_inc(...) ATOLL_SHMEM_SELECT(IS, OLD_AMO, _inc, __VA_ARGS__)
#define shmem_fadd(...) ATOLL_SHMEM_SELECT(IS, OLD_AMO, _fadd, __VA_ARGS__)
#define shmem_add(...) ATOLL_SHMEM_SELECT(IS, OLD_AMO, _add, __VA_ARGS__)

#endif
