// Tests collectives on active sets. The program provides the work arrays of a collective, and
// reuses the arrays immediately in the next collective.

#include "checks.h"

enum { k_most = 1000, k_step = 2 };

static void* dest;
static void* source;
static long* sync_arrays[2];
static void* work;

// An active set that contains this PE.
typedef struct {
  int start, log_stride, size, me;
} set;

static int pe_of(const set* one, int member) { return one->start + (member << one->log_stride); }

static void check_zero(void) {
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < SHMEM_SYNC_SIZE; ++k)
      CHECK(sync_arrays[i][k] == SHMEM_SYNC_VALUE, "word %d of a work array is %ld", k,
            sync_arrays[i][k]);
}

#define SET one->start, one->log_stride, one->size

#define TEST_SIZE(TYPE, BITS)                                                                      \
  static void fill_##BITS(size_t n) {                                                              \
    for (size_t i = 0; i < n; ++i) {                                                               \
      ((TYPE*)source)[i] = (TYPE)value_of(shmem_my_pe(), i);                                       \
      ((TYPE*)dest)[i] = 101;                                                                      \
    }                                                                                              \
  }                                                                                                \
  static void expect_##BITS(const char* what, size_t at, int value) {                              \
    CHECK(((TYPE*)dest)[at] == (TYPE)value, "%s%s: element %zu is %g, not %d", what, #BITS, at,    \
          (double)((TYPE*)dest)[at], value);                                                       \
  }                                                                                                \
  static void test_##BITS(const set* one, size_t n) {                                              \
    const size_t all = n * (size_t)one->size;                                                      \
    for (int root = 0; root < one->size; ++root) {                                                 \
      fill_##BITS(n);                                                                              \
      shmem_sync(SET, sync_arrays[1]);                                                             \
      shmem_broadcast##BITS(dest, source, n, root, SET, sync_arrays[0]);                           \
      for (size_t i = 0; i < n; ++i)                                                               \
        expect_##BITS("broadcast", i, one->me == root ? 101 : value_of(pe_of(one, root), i));      \
    }                                                                                              \
    fill_##BITS(all + 1);                                                                          \
    shmem_sync(SET, sync_arrays[1]);                                                               \
    shmem_fcollect##BITS(dest, source, n, SET, sync_arrays[0]);                                    \
    for (size_t i = 0; i < all; ++i)                                                               \
      expect_##BITS("fcollect", i, value_of(pe_of(one, (int)(i / n)), i % n));                     \
    expect_##BITS("fcollect", all, 101);                                                           \
    const size_t mine = n / (1 + (size_t)one->me);                                                 \
    fill_##BITS(all + 1);                                                                          \
    shmem_sync(SET, sync_arrays[1]);                                                               \
    shmem_collect##BITS(dest, source, mine, SET, sync_arrays[0]);                                  \
    size_t at = 0;                                                                                 \
    for (int m = 0; m < one->size; ++m)                                                            \
      for (size_t i = 0; i < n / (1 + (size_t)m); ++i)                                             \
        expect_##BITS("collect", at++, value_of(pe_of(one, m), i));                                \
    expect_##BITS("collect", at, 101);                                                             \
    fill_##BITS(all* k_step + 1);                                                                  \
    shmem_barrier(SET, sync_arrays[1]);                                                            \
    shmem_alltoall##BITS(dest, source, n, SET, sync_arrays[0]);                                    \
    for (size_t i = 0; i < all; ++i)                                                               \
      expect_##BITS("alltoall", i,                                                                 \
                    value_of(pe_of(one, (int)(i / n)), (size_t)one->me* n + i % n));               \
    fill_##BITS(all* k_step + 1);                                                                  \
    shmem_barrier(SET, sync_arrays[1]);                                                            \
    shmem_alltoalls##BITS(dest, source, 1, k_step, n, SET, sync_arrays[0]);                        \
    for (size_t i = 0; i < all; ++i)                                                               \
      expect_##BITS("alltoalls", i,                                                                \
                    value_of(pe_of(one, (int)(i / n)), ((size_t)one->me * n + i % n) * k_step));   \
    shmem_barrier(SET, sync_arrays[1]);                                                            \
  }
TEST_SIZE(uint32_t, 32)
TEST_SIZE(uint64_t, 64)

#define FOLD_and(a, b) ((a) & (b))
#define FOLD_or(a, b) ((a) | (b))
#define FOLD_xor(a, b) ((a) ^ (b))
#define FOLD_max(a, b) ((a) < (b) ? (b) : (a))
#define FOLD_min(a, b) ((b) < (a) ? (b) : (a))
#define FOLD_sum(a, b) ((a) + (b))
#define FOLD_prod(a, b) ((a) * (b))

static int part(int pe, size_t i) { return 1 + (int)(((size_t)pe + i) % 2); }

#define TEST_REDUCTION(TYPE, NAME, OP)                                                             \
  static void reduce_##NAME##_##OP(const set* one, int n) {                                        \
    TYPE* const to = dest;                                                                         \
    for (int i = 0; i < n; ++i) ((TYPE*)source)[i] = (TYPE)part(shmem_my_pe(), (size_t)i);         \
    shmem_sync(SET, sync_arrays[1]);                                                               \
    shmem_##NAME##_##OP##_to_all(to, source, n, SET, work, sync_arrays[0]);                        \
    for (int i = 0; i < n; ++i) {                                                                  \
      TYPE wanted = (TYPE)part(pe_of(one, 0), (size_t)i);                                          \
      for (int m = 1; m < one->size; ++m)                                                          \
        wanted = (TYPE)FOLD_##OP(wanted, (TYPE)part(pe_of(one, m), (size_t)i));                    \
      CHECK(to[i] == wanted, "%s_%s_to_all: element %d of %d", #NAME, #OP, i, n);                  \
    }                                                                                              \
  }

#define THREE_BITWISE(DO, TYPE, NAME) DO(TYPE, NAME, and) DO(TYPE, NAME, or) DO(TYPE, NAME, xor)
#define FOUR_NUMBERS(DO, TYPE, NAME)                                                               \
  DO(TYPE, NAME, max) DO(TYPE, NAME, min) DO(TYPE, NAME, sum) DO(TYPE, NAME, prod)
#define TWO_COMPLEX(DO, TYPE, NAME) DO(TYPE, NAME, sum) DO(TYPE, NAME, prod)

#define DEFINE_BITWISE(TYPE, NAME, E) THREE_BITWISE(TEST_REDUCTION, TYPE, NAME)
#define DEFINE_NUMBERS(TYPE, NAME, E) FOUR_NUMBERS(TEST_REDUCTION, TYPE, NAME)
#define DEFINE_COMPLEX(TYPE, NAME, E) TWO_COMPLEX(TEST_REDUCTION, TYPE, NAME)
ATOLL_SHMEM_OLD_INTEGERS(DEFINE_BITWISE, )
ATOLL_SHMEM_OLD_NUMBERS(DEFINE_NUMBERS, )
ATOLL_SHMEM_COMPLEXES(DEFINE_COMPLEX, )

static void reduce_all(const set* one, int n) {
#define RUN(TYPE, NAME, OP) reduce_##NAME##_##OP(one, n);
#define RUN_BITWISE(TYPE, NAME, E) THREE_BITWISE(RUN, TYPE, NAME)
#define RUN_NUMBERS(TYPE, NAME, E) FOUR_NUMBERS(RUN, TYPE, NAME)
#define RUN_COMPLEX(TYPE, NAME, E) TWO_COMPLEX(RUN, TYPE, NAME)
  ATOLL_SHMEM_OLD_INTEGERS(RUN_BITWISE, )
  ATOLL_SHMEM_OLD_NUMBERS(RUN_NUMBERS, )
  ATOLL_SHMEM_COMPLEXES(RUN_COMPLEX, )
}

// Uses one set for many collectives without a pause, with two synchronisation arrays in turn.
static void use_at_once(const set* one) {
  long* const sum = dest;
  long* const mine = source;
  for (int i = 0; i < 1000; ++i) {
    *mine = i + one->me;
    long* const array = sync_arrays[i % 2];
    shmem_long_sum_to_all(sum, mine, 1, SET, work, array);
    CHECK(*sum == (long)one->size * i + one->size * (one->size - 1L) / 2, "sum %d is %ld", i, *sum);
    shmem_broadcast64(sum, mine, 100, i % one->size, SET, array);
    shmem_fcollect64(sum, mine, 1, SET, sync_arrays[0]);
    for (int m = 0; m < one->size; ++m) CHECK(sum[m] == i + m, "collection %d", i);
    if (i % 3 == 0) shmem_barrier(SET, array);
    if (i % 3 == 1) shmem_sync(SET, array);
  }
}

static void test_set(const set* one) {
  for (int i = 0; i < k_counts_size; ++i) {
    test_32(one, k_counts[i]);
    test_64(one, k_counts[i]);
    reduce_all(one, (int)k_counts[i]);
  }
  use_at_once(one);
  shmem_barrier(SET, sync_arrays[1]);
}

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes();
  const size_t bytes = 16 * k_most * k_step * (size_t)pes + 16;
  dest = shmem_malloc(bytes);
  source = shmem_malloc(bytes);
  work = shmem_malloc(16 * (k_most / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE));
  for (int i = 0; i < 2; ++i) {
    sync_arrays[i] = shmem_malloc(SHMEM_SYNC_SIZE * sizeof(long));
    memset(sync_arrays[i], 0, SHMEM_SYNC_SIZE * sizeof(long));
  }
  for (int log_stride = 0; log_stride <= 2; ++log_stride)
    for (int start = 0; start < (pes < 3 ? pes : 3); ++start) {
      const int stride = 1 << log_stride;
      const int distance = shmem_my_pe() - start;
      shmem_barrier_all();
      check_zero();
      shmem_barrier_all();
      if (distance < 0 || distance % stride != 0) continue;
      const set one = {start, log_stride, (pes - start + stride - 1) / stride, distance / stride};
      test_set(&one);
    }
  shmem_barrier_all();
  check_zero();
  shmem_finalize();
  return 0;
}
