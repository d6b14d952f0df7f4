#ifndef ATOLL_SHMEMX_H
#define ATOLL_SHMEMX_H
// Extensions of Atoll beyond OpenSHMEM 1.5: reductions and collections that give the result to only
// one PE, the root. The parameter `root` is the number of the root in the team. All PEs of the team
// must call the function. The functions write `dest` only on the root, so only the root needs a
// large enough `dest`. The functions return 0 on success, and another value if the team is invalid.

#include "shmem.h"
#include "shmem/declare.h"

// In the name of a function, a type stands before the verb (shmemx_int_collect_to), but mem stands
// after the verb (shmemx_collectmem_to).
#define ATOLL_SHMEM_COLLECT_TO_ONE(M, TYPE, VALUE, STEM, GENERIC)                                  \
  M(TYPE, int, STEM, GENERIC,                                                                      \
    (shmem_team_t team, VALUE * dest, const VALUE* source, size_t nelems, int root),               \
    (team, dest, source, nelems, root))
#define ATOLL_SHMEM_COLLECT_TO(TYPE, NAME, M)                                                      \
  ATOLL_SHMEM_COLLECT_TO_ONE(M, TYPE, TYPE, NAME##_collect_to, collect_to)                         \
  ATOLL_SHMEM_COLLECT_TO_ONE(M, TYPE, TYPE, NAME##_fcollect_to, fcollect_to)
#define ATOLL_SHMEM_COLLECT_TO_MEM(M)                                                              \
  ATOLL_SHMEM_COLLECT_TO_ONE(M, unsigned char, void, collectmem_to, collect_to)                    \
  ATOLL_SHMEM_COLLECT_TO_ONE(M, unsigned char, void, fcollectmem_to, fcollect_to)

#define ATOLL_SHMEM_REDUCE_TO_ONE(M, TYPE, STEM, GENERIC)                                          \
  M(TYPE, int, STEM, GENERIC,                                                                      \
    (shmem_team_t team, TYPE * dest, const TYPE* source, size_t nreduce, int root),                \
    (team, dest, source, nreduce, root))
#define ATOLL_SHMEM_REDUCE_TO_BITWISE(TYPE, NAME, M)                                               \
  ATOLL_SHMEM_REDUCE_TO_ONE(M, TYPE, NAME##_and_reduce_to, and_reduce_to)                          \
  ATOLL_SHMEM_REDUCE_TO_ONE(M, TYPE, NAME##_or_reduce_to, or_reduce_to)                            \
  ATOLL_SHMEM_REDUCE_TO_ONE(M, TYPE, NAME##_xor_reduce_to, xor_reduce_to)
#define ATOLL_SHMEM_REDUCE_TO_COMPARE(TYPE, NAME, M)                                               \
  ATOLL_SHMEM_REDUCE_TO_ONE(M, TYPE, NAME##_max_reduce_to, max_reduce_to)                          \
  ATOLL_SHMEM_REDUCE_TO_ONE(M, TYPE, NAME##_min_reduce_to, min_reduce_to)
#define ATOLL_SHMEM_REDUCE_TO_ARITHMETIC(TYPE, NAME, M)                                            \
  ATOLL_SHMEM_REDUCE_TO_ONE(M, TYPE, NAME##_sum_reduce_to, sum_reduce_to)                          \
  ATOLL_SHMEM_REDUCE_TO_ONE(M, TYPE, NAME##_prod_reduce_to, prod_reduce_to)

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_COLLECT_TO, ATOLL_SHMEM_DECLARE_EXTENSION)
ATOLL_SHMEM_COLLECT_TO_MEM(ATOLL_SHMEM_DECLARE_EXTENSION)
ATOLL_SHMEM_REDUCE_BITWISE_TABLE(ATOLL_SHMEM_REDUCE_TO_BITWISE, ATOLL_SHMEM_DECLARE_EXTENSION)
ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_REDUCE_TO_COMPARE, ATOLL_SHMEM_DECLARE_EXTENSION)
ATOLL_SHMEM_REDUCE_ARITHMETIC_TABLE(ATOLL_SHMEM_REDUCE_TO_ARITHMETIC, ATOLL_SHMEM_DECLARE_EXTENSION)

#ifdef __cplusplus

#define ATOLL_SHMEM_OVERLOAD_EXTENSION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)         \
  inline RESULT shmemx_##GENERIC PARAMETERS { return shmemx_##STEM ARGUMENTS; }

extern "C++" {
ATOLL_SHMEM_RMA_DISTINCT(ATOLL_SHMEM_COLLECT_TO, ATOLL_SHMEM_OVERLOAD_EXTENSION)
ATOLL_SHMEM_REDUCE_BITWISE_DISTINCT(ATOLL_SHMEM_REDUCE_TO_BITWISE, ATOLL_SHMEM_OVERLOAD_EXTENSION)
ATOLL_SHMEM_RMA_DISTINCT(ATOLL_SHMEM_REDUCE_TO_COMPARE, ATOLL_SHMEM_OVERLOAD_EXTENSION)
ATOLL_SHMEM_REDUCE_ARITHMETIC_DISTINCT(ATOLL_SHMEM_REDUCE_TO_ARITHMETIC,
                                       ATOLL_SHMEM_OVERLOAD_EXTENSION)
}

#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

#define ATOLL_SHMEM_IS_EXTENSION(TYPE, NAME, OP) , TYPE* : shmemx_##NAME##OP

#define shmemx_collect_to(...)                                                                     \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, RMA, _collect_to, __VA_ARGS__)
#define shmemx_fcollect_to(...)                                                                    \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, RMA, _fcollect_to, __VA_ARGS__)
#define shmemx_and_reduce_to(...)                                                                  \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, REDUCE_BITWISE, _and_reduce_to, __VA_ARGS__)
#define shmemx_or_reduce_to(...)                                                                   \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, REDUCE_BITWISE, _or_reduce_to, __VA_ARGS__)
#define shmemx_xor_reduce_to(...)                                                                  \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, REDUCE_BITWISE, _xor_reduce_to, __VA_ARGS__)
#define shmemx_max_reduce_to(...)                                                                  \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, RMA, _max_reduce_to, __VA_ARGS__)
#define shmemx_min_reduce_to(...)                                                                  \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, RMA, _min_reduce_to, __VA_ARGS__)
#define shmemx_sum_reduce_to(...)                                                                  \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, REDUCE_ARITHMETIC, _sum_reduce_to, __VA_ARGS__)
#define shmemx_prod_reduce_to(...)                                                                 \
  ATOLL_SHMEM_SELECT_ON_TEAM(IS_EXTENSION, REDUCE_ARITHMETIC, _prod_reduce_to, __VA_ARGS__)

#endif

#include "shmem/undeclare.h"

#endif
