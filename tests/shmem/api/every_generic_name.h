// Calls every generic name of OpenSHMEM 1.5 and of the extensions, for every type in the standard.
// Each function is called with and without a context. All calls are written in the same way in C11
// and in C++. The selected function must fit the types of the arguments, because the compiler
// rejects a pointer to another type.

#include <shmem.h>
#include <shmemx.h>

#define RMA(TYPE, NAME)                                                                            \
  void rma_##NAME(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, uint64_t* sig);                 \
  void rma_##NAME(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, uint64_t* sig) {                \
    shmem_put(dest, source, 1, 0);                                                                 \
    shmem_put(ctx, dest, source, 1, 0);                                                            \
    shmem_get(dest, source, 1, 0);                                                                 \
    shmem_get(ctx, dest, source, 1, 0);                                                            \
    shmem_iput(dest, source, 1, 2, 3, 0);                                                          \
    shmem_iput(ctx, dest, source, 1, 2, 3, 0);                                                     \
    shmem_iget(dest, source, 1, 2, 3, 0);                                                          \
    shmem_iget(ctx, dest, source, 1, 2, 3, 0);                                                     \
    shmem_p(dest, shmem_g(source, 0), 0);                                                          \
    shmem_p(ctx, dest, shmem_g(ctx, source, 0), 0);                                                \
    shmem_p(dest, shmem_g(dest, 0), 0);                                                            \
    shmem_p(SHMEM_CTX_DEFAULT, dest, shmem_g(SHMEM_CTX_DEFAULT, dest, 0), 0);                      \
    shmem_put_nbi(dest, source, 1, 0);                                                             \
    shmem_put_nbi(ctx, dest, source, 1, 0);                                                        \
    shmem_get_nbi(dest, source, 1, 0);                                                             \
    shmem_get_nbi(ctx, dest, source, 1, 0);                                                        \
    shmem_put_signal(dest, source, 1, sig, 1, SHMEM_SIGNAL_SET, 0);                                \
    shmem_put_signal(ctx, dest, source, 1, sig, 1, SHMEM_SIGNAL_ADD, 0);                           \
    shmem_put_signal_nbi(dest, source, 1, sig, 1, SHMEM_SIGNAL_SET, 0);                            \
    shmem_put_signal_nbi(ctx, dest, source, 1, sig, 1, SHMEM_SIGNAL_ADD, 0);                       \
  }

#define COLLECTIVES(TYPE, NAME)                                                                    \
  int collectives_##NAME(shmem_team_t team, TYPE* dest, const TYPE* source);                       \
  int collectives_##NAME(shmem_team_t team, TYPE* dest, const TYPE* source) {                      \
    return shmem_alltoall(team, dest, source, 1) + shmem_alltoalls(team, dest, source, 1, 2, 3) +  \
           shmem_broadcast(team, dest, source, 1, 0) + shmem_collect(team, dest, source, 1) +      \
           shmem_fcollect(team, dest, source, 1) + shmem_max_reduce(team, dest, source, 1) +       \
           shmem_min_reduce(team, dest, source, 1) + shmem_sync(team) +                            \
           shmemx_collect_to(team, dest, source, 1, 0) +                                           \
           shmemx_fcollect_to(team, dest, source, 1, 0) +                                          \
           shmemx_max_reduce_to(team, dest, source, 1, 0) +                                        \
           shmemx_min_reduce_to(team, dest, source, 1, 0);                                         \
  }

#define ARITHMETIC(TYPE, NAME)                                                                     \
  int arithmetic_##NAME(TYPE* dest, const TYPE* source);                                           \
  int arithmetic_##NAME(TYPE* dest, const TYPE* source) {                                          \
    return shmem_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1) +                                   \
           shmem_prod_reduce(SHMEM_TEAM_SHARED, dest, source, 1) +                                 \
           shmemx_sum_reduce_to(SHMEM_TEAM_WORLD, dest, source, 1, 0) +                            \
           shmemx_prod_reduce_to(SHMEM_TEAM_WORLD, dest, source, 1, 0);                            \
  }

#define BITS(TYPE, NAME)                                                                           \
  int bits_##NAME(shmem_team_t team, TYPE* dest, const TYPE* source);                              \
  int bits_##NAME(shmem_team_t team, TYPE* dest, const TYPE* source) {                             \
    return shmem_and_reduce(team, dest, source, 1) + shmem_or_reduce(team, dest, source, 1) +      \
           shmem_xor_reduce(team, dest, source, 1) +                                               \
           shmemx_and_reduce_to(team, dest, source, 1, 0) +                                        \
           shmemx_or_reduce_to(team, dest, source, 1, 0) +                                         \
           shmemx_xor_reduce_to(team, dest, source, 1, 0);                                         \
  }

#define AMO_EXTENDED(TYPE, NAME)                                                                   \
  void extended_##NAME(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, TYPE* old);                \
  void extended_##NAME(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, TYPE* old) {               \
    *old = shmem_atomic_fetch(source, 0);                                                          \
    *old = shmem_atomic_fetch(ctx, source, 0);                                                     \
    *old = shmem_atomic_fetch(dest, 0);                                                            \
    *old = shmem_atomic_fetch(ctx, dest, 0);                                                       \
    shmem_atomic_set(dest, *old, 0);                                                               \
    shmem_atomic_set(ctx, dest, 1, 0);                                                             \
    *old = shmem_atomic_swap(dest, *old, 0);                                                       \
    *old = shmem_atomic_swap(ctx, dest, 1, 0);                                                     \
    shmem_atomic_fetch_nbi(old, source, 0);                                                        \
    shmem_atomic_fetch_nbi(ctx, old, source, 0);                                                   \
    shmem_atomic_swap_nbi(old, dest, 1, 0);                                                        \
    shmem_atomic_swap_nbi(ctx, old, dest, 1, 0);                                                   \
  }

#define AMO(TYPE, NAME)                                                                            \
  void amo_##NAME(shmem_ctx_t ctx, TYPE* dest, TYPE* old);                                         \
  void amo_##NAME(shmem_ctx_t ctx, TYPE* dest, TYPE* old) {                                        \
    *old = shmem_atomic_compare_swap(dest, 1, 2, 0);                                               \
    *old = shmem_atomic_compare_swap(ctx, dest, 1, 2, 0);                                          \
    *old = shmem_atomic_fetch_inc(dest, 0);                                                        \
    *old = shmem_atomic_fetch_inc(ctx, dest, 0);                                                   \
    shmem_atomic_inc(dest, 0);                                                                     \
    shmem_atomic_inc(ctx, dest, 0);                                                                \
    *old = shmem_atomic_fetch_add(dest, 1, 0);                                                     \
    *old = shmem_atomic_fetch_add(ctx, dest, 1, 0);                                                \
    shmem_atomic_add(dest, 1, 0);                                                                  \
    shmem_atomic_add(ctx, dest, 1, 0);                                                             \
    shmem_atomic_compare_swap_nbi(old, dest, 1, 2, 0);                                             \
    shmem_atomic_compare_swap_nbi(ctx, old, dest, 1, 2, 0);                                        \
    shmem_atomic_fetch_inc_nbi(old, dest, 0);                                                      \
    shmem_atomic_fetch_inc_nbi(ctx, old, dest, 0);                                                 \
    shmem_atomic_fetch_add_nbi(old, dest, 1, 0);                                                   \
    shmem_atomic_fetch_add_nbi(ctx, old, dest, 1, 0);                                              \
  }

#define AMO_BITS(TYPE, NAME)                                                                       \
  void amo_bits_##NAME(shmem_ctx_t ctx, TYPE* dest, TYPE* old);                                    \
  void amo_bits_##NAME(shmem_ctx_t ctx, TYPE* dest, TYPE* old) {                                   \
    shmem_atomic_and(dest, 1, 0);                                                                  \
    shmem_atomic_and(ctx, dest, 1, 0);                                                             \
    shmem_atomic_or(dest, 1, 0);                                                                   \
    shmem_atomic_or(ctx, dest, 1, 0);                                                              \
    shmem_atomic_xor(dest, 1, 0);                                                                  \
    shmem_atomic_xor(ctx, dest, 1, 0);                                                             \
    *old = shmem_atomic_fetch_and(dest, 1, 0);                                                     \
    *old = shmem_atomic_fetch_and(ctx, dest, 1, 0);                                                \
    *old = shmem_atomic_fetch_or(dest, 1, 0);                                                      \
    *old = shmem_atomic_fetch_or(ctx, dest, 1, 0);                                                 \
    *old = shmem_atomic_fetch_xor(dest, 1, 0);                                                     \
    *old = shmem_atomic_fetch_xor(ctx, dest, 1, 0);                                                \
    shmem_atomic_fetch_and_nbi(old, dest, 1, 0);                                                   \
    shmem_atomic_fetch_and_nbi(ctx, old, dest, 1, 0);                                              \
    shmem_atomic_fetch_or_nbi(old, dest, 1, 0);                                                    \
    shmem_atomic_fetch_or_nbi(ctx, old, dest, 1, 0);                                               \
    shmem_atomic_fetch_xor_nbi(old, dest, 1, 0);                                                   \
    shmem_atomic_fetch_xor_nbi(ctx, old, dest, 1, 0);                                              \
  }

#define WAIT(TYPE, NAME)                                                                           \
  int wait_##NAME(TYPE* ivar, volatile TYPE* changing);                                            \
  int wait_##NAME(TYPE* ivar, volatile TYPE* changing) {                                           \
    shmem_wait_until(ivar, SHMEM_CMP_EQ, 1);                                                       \
    shmem_wait_until(changing, SHMEM_CMP_EQ, 1);                                                   \
    return shmem_test(ivar, SHMEM_CMP_NE, 1) + shmem_test(changing, SHMEM_CMP_GT, 1);              \
  }

#define WAIT_SET(TYPE, NAME)                                                                       \
  size_t wait_set_##NAME(TYPE* ivars, TYPE* values, const int* status, size_t* indices);           \
  size_t wait_set_##NAME(TYPE* ivars, TYPE* values, const int* status, size_t* indices) {          \
    volatile TYPE* changing = ivars;                                                               \
    size_t n = 0;                                                                                  \
    shmem_wait_until_all(ivars, 2, status, SHMEM_CMP_GE, 1);                                       \
    n += shmem_wait_until_any(ivars, 2, status, SHMEM_CMP_LT, 1);                                  \
    n += shmem_wait_until_some(ivars, 2, indices, NULL, SHMEM_CMP_LE, 1);                          \
    shmem_wait_until_all_vector(ivars, 2, status, SHMEM_CMP_EQ, values);                           \
    n += shmem_wait_until_any_vector(ivars, 2, status, SHMEM_CMP_EQ, values);                      \
    n += shmem_wait_until_some_vector(ivars, 2, indices, status, SHMEM_CMP_EQ, values);            \
    n += shmem_test_all(ivars, 2, NULL, SHMEM_CMP_EQ, 1) != 0;                                     \
    n += shmem_test_any(changing, 2, status, SHMEM_CMP_EQ, 1);                                     \
    n += shmem_test_some(ivars, 2, indices, status, SHMEM_CMP_EQ, 1);                              \
    n += shmem_test_all_vector(ivars, 2, status, SHMEM_CMP_EQ, values) != 0;                       \
    n += shmem_test_any_vector(ivars, 2, status, SHMEM_CMP_EQ, values);                            \
    return n + shmem_test_some_vector(changing, 2, indices, status, SHMEM_CMP_EQ, values);         \
  }

#define OLD_AMO_EXTENDED(TYPE, NAME)                                                               \
  TYPE old_extended_##NAME(TYPE* dest, const TYPE* source);                                        \
  TYPE old_extended_##NAME(TYPE* dest, const TYPE* source) {                                       \
    shmem_set(dest, shmem_fetch(source, 0), 0);                                                    \
    return shmem_fetch(dest, 0) + shmem_swap(dest, 1, 0);                                          \
  }

#define OLD_AMO(TYPE, NAME)                                                                        \
  TYPE old_amo_##NAME(TYPE* dest);                                                                 \
  TYPE old_amo_##NAME(TYPE* dest) {                                                                \
    shmem_inc(dest, 0);                                                                            \
    shmem_add(dest, 1, 0);                                                                         \
    return shmem_cswap(dest, 1, 2, 0) + shmem_finc(dest, 0) + shmem_fadd(dest, 1, 0);              \
  }

// As in the tables of the OpenSHMEM standard, one C type may be listed several times, under
// different names: for example `long` and `int64_t`.
#define STANDARD_AMO_TYPES(X)                                                                      \
  X(int, int)                                                                                      \
  X(long, long)                                                                                    \
  X(long long, longlong)                                                                           \
  X(unsigned int, uint)                                                                            \
  X(unsigned long, ulong)                                                                          \
  X(unsigned long long, ulonglong)                                                                 \
  X(int32_t, int32)                                                                                \
  X(int64_t, int64)                                                                                \
  X(uint32_t, uint32)                                                                              \
  X(uint64_t, uint64)                                                                              \
  X(size_t, size)                                                                                  \
  X(ptrdiff_t, ptrdiff)
#define EXTENDED_AMO_TYPES(X)                                                                      \
  STANDARD_AMO_TYPES(X)                                                                            \
  X(float, float)                                                                                  \
  X(double, double)
#define BITWISE_AMO_TYPES(X)                                                                       \
  X(unsigned int, uint)                                                                            \
  X(unsigned long, ulong)                                                                          \
  X(unsigned long long, ulonglong)                                                                 \
  X(int32_t, int32)                                                                                \
  X(int64_t, int64)                                                                                \
  X(uint32_t, uint32)                                                                              \
  X(uint64_t, uint64)
#define BITWISE_REDUCTION_TYPES(X)                                                                 \
  BITWISE_AMO_TYPES(X)                                                                             \
  X(unsigned char, uchar)                                                                          \
  X(unsigned short, ushort)                                                                        \
  X(int8_t, int8)                                                                                  \
  X(int16_t, int16)                                                                                \
  X(uint8_t, uint8)                                                                                \
  X(uint16_t, uint16)                                                                              \
  X(size_t, size)
#define RMA_TYPES(X)                                                                               \
  EXTENDED_AMO_TYPES(X)                                                                            \
  X(long double, longdouble)                                                                       \
  X(char, char)                                                                                    \
  X(signed char, schar)                                                                            \
  X(unsigned char, uchar)                                                                          \
  X(short, short)                                                                                  \
  X(unsigned short, ushort)                                                                        \
  X(int8_t, int8)                                                                                  \
  X(int16_t, int16)                                                                                \
  X(uint8_t, uint8)                                                                                \
  X(uint16_t, uint16)
#define OLD_AMO_TYPES(X)                                                                           \
  X(int, int)                                                                                      \
  X(long, long)                                                                                    \
  X(long long, longlong)

RMA_TYPES(RMA)
RMA_TYPES(COLLECTIVES)
RMA_TYPES(ARITHMETIC)
BITWISE_REDUCTION_TYPES(BITS)
EXTENDED_AMO_TYPES(AMO_EXTENDED)
STANDARD_AMO_TYPES(AMO)
BITWISE_AMO_TYPES(AMO_BITS)
STANDARD_AMO_TYPES(WAIT)
STANDARD_AMO_TYPES(WAIT_SET)
WAIT(short, short)
WAIT(unsigned short, ushort)
OLD_AMO_TYPES(OLD_AMO_EXTENDED)
OLD_AMO_EXTENDED(float, float)
OLD_AMO_EXTENDED(double, double)
OLD_AMO_TYPES(OLD_AMO)
