// Tests reductions on teams, for all types and operations, and reductions to one PE.

#include "checks.h"

#include <shmemx.h>

static void* dest;
static void* source;
static void* copy;

static const size_t k_sizes[] = {0, 1, 2, 7, 61, 1000, 100000};
enum { k_most = 100000 };

// Returns the contribution of a member. Contributions are 1 or 2, so that a product of a few
// contributions is exact.
static int part(int pe, size_t i) { return 1 + (int)(((size_t)pe + i) % 2); }

#define FOLD_and(a, b) ((a) & (b))
#define FOLD_or(a, b) ((a) | (b))
#define FOLD_xor(a, b) ((a) ^ (b))
#define FOLD_max(a, b) ((a) < (b) ? (b) : (a))
#define FOLD_min(a, b) ((b) < (a) ? (b) : (a))
#define FOLD_sum(a, b) ((a) + (b))
#define FOLD_prod(a, b) ((a) * (b))

#define TEST(TYPE, NAME, OP)                                                                       \
  static void fill_##NAME##_##OP(size_t n) {                                                       \
    for (size_t i = 0; i <= n; ++i) {                                                              \
      ((TYPE*)source)[i] = (TYPE)part(shmem_my_pe(), i);                                           \
      ((TYPE*)dest)[i] = (TYPE)101;                                                                \
    }                                                                                              \
  }                                                                                                \
  static void expect_##NAME##_##OP(const membership* who, size_t n, const TYPE* got) {             \
    for (size_t i = 0; i < n; ++i) {                                                               \
      TYPE wanted = (TYPE)part(who->pes[0], i);                                                    \
      for (int m = 1; m < who->size; ++m)                                                          \
        wanted = (TYPE)FOLD_##OP(wanted, (TYPE)part(who->pes[m], i));                              \
      CHECK(got[i] == wanted, "%s of %zu %s: element %zu", #OP, n, #NAME, i);                      \
    }                                                                                              \
  }                                                                                                \
  static void test_##NAME##_##OP(const membership* who) {                                          \
    for (size_t s = 0; s < sizeof k_sizes / sizeof *k_sizes; ++s) {                                \
      const size_t n = k_sizes[s];                                                                 \
      fill_##NAME##_##OP(n);                                                                       \
      CHECK(shmem_##NAME##_##OP##_reduce(who->team, dest, source, n) == 0, "refused");             \
      expect_##NAME##_##OP(who, n, dest);                                                          \
      CHECK(((TYPE*)dest)[n] == (TYPE)101, "too much");                                            \
      shmem_team_sync(who->team);                                                                  \
      CHECK(shmem_##NAME##_##OP##_reduce(who->team, source, source, n) == 0, "refused");           \
      expect_##NAME##_##OP(who, n, source);                                                        \
      shmem_team_sync(who->team);                                                                  \
      if (n > 1000) continue;                                                                      \
      fill_##NAME##_##OP(n);                                                                       \
      const int root = (int)n % who->size;                                                         \
      CHECK(shmemx_##NAME##_##OP##_reduce_to(who->team, dest, source, n, root) == 0, "refused");   \
      if (who->me == root) expect_##NAME##_##OP(who, n, dest);                                     \
      if (who->me != root) CHECK(((TYPE*)dest)[0] == (TYPE)101, "written");                        \
      shmem_team_sync(who->team);                                                                  \
    }                                                                                              \
  }

#define TEST_BITWISE(TYPE, NAME)                                                                   \
  TEST(TYPE, NAME, and)                                                                            \
  TEST(TYPE, NAME, or)                                                                             \
  TEST(TYPE, NAME, xor)
#define TEST_COMPARE(TYPE, NAME)                                                                   \
  TEST(TYPE, NAME, max)                                                                            \
  TEST(TYPE, NAME, min)
#define TEST_ARITHMETIC(TYPE, NAME)                                                                \
  TEST(TYPE, NAME, sum)                                                                            \
  TEST(TYPE, NAME, prod)

ATOLL_SHMEM_REDUCE_BITWISE_TYPES(TEST_BITWISE)
ATOLL_SHMEM_REDUCE_COMPARE_TYPES(TEST_COMPARE)
ATOLL_SHMEM_REDUCE_ARITHMETIC_TYPES(TEST_ARITHMETIC)

// Checks that all PEs get the same bits. For doubles, the bits depend on the order of additions.
static void test_same_bits(const membership* who) {
  for (size_t n = 1; n <= 10000; n *= 10) {
    double* const from = source;
    double* const sum = dest;
    for (size_t i = 0; i < n; ++i) from[i] = 1.0 / (1.0 + (double)(i * 7) + 1e6 * shmem_my_pe());
    shmem_double_sum_reduce(who->team, sum, from, n);
    shmem_double_broadcast(who->team, copy, sum, n, 0);
    CHECK(memcmp(copy, sum, n * sizeof(double)) == 0, "sums differ");
    shmem_team_sync(who->team);
  }
}

static void test_one(const membership* who) {
#define RUN_BITWISE(TYPE, NAME)                                                                    \
  test_##NAME##_and(who), test_##NAME##_or(who), test_##NAME##_xor(who);
#define RUN_COMPARE(TYPE, NAME) test_##NAME##_max(who), test_##NAME##_min(who);
#define RUN_ARITHMETIC(TYPE, NAME) test_##NAME##_sum(who), test_##NAME##_prod(who);
  ATOLL_SHMEM_REDUCE_BITWISE_TYPES(RUN_BITWISE)
  ATOLL_SHMEM_REDUCE_COMPARE_TYPES(RUN_COMPARE)
  ATOLL_SHMEM_REDUCE_ARITHMETIC_TYPES(RUN_ARITHMETIC)
  test_same_bits(who);
}

int main(void) {
  shmem_init();
  dest = shmem_malloc((k_most + 1) * 16);
  source = shmem_malloc((k_most + 1) * 16);
  copy = shmem_malloc((k_most + 1) * 16);
  with_teams(test_one);
  CHECK(shmem_int_sum_reduce(SHMEM_TEAM_INVALID, dest, source, 1) != 0, "invalid team");
  CHECK(shmemx_int_sum_reduce_to(SHMEM_TEAM_INVALID, dest, source, 1, 0) != 0, "invalid team");
  shmem_finalize();
  return 0;
}
