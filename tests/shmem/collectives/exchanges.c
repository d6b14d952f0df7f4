// Tests broadcast, collect, fcollect, alltoall and alltoalls on teams, for all types.

#include "checks.h"

enum { k_most = 1000, k_step = 3 };

static void* dest;
static void* source;

#define TEST_TYPE(TYPE, NAME)                                                                      \
  static void fill_##NAME(size_t count) {                                                          \
    for (size_t i = 0; i < count; ++i) {                                                           \
      ((TYPE*)source)[i] = (TYPE)value_of(shmem_my_pe(), i);                                       \
      ((TYPE*)dest)[i] = (TYPE)101;                                                                \
    }                                                                                              \
  }                                                                                                \
  static void expect_##NAME(const char* what, size_t at, int value) {                              \
    CHECK(((TYPE*)dest)[at] == (TYPE)value, "%s of %s: element %zu is %g, not %d", what, #NAME,    \
          at, (double)((TYPE*)dest)[at], value);                                                   \
  }                                                                                                \
  static void broadcast_##NAME(const membership* who, size_t n) {                                  \
    for (int root = 0; root < who->size; ++root) {                                                 \
      fill_##NAME(n + 1);                                                                          \
      CHECK(shmem_##NAME##_broadcast(who->team, dest, source, n, root) == 0, "refused");           \
      for (size_t i = 0; i < n; ++i) expect_##NAME("broadcast", i, value_of(who->pes[root], i));   \
      expect_##NAME("broadcast", n, 101);                                                          \
    }                                                                                              \
    shmem_team_sync(who->team);                                                                    \
    fill_##NAME(n);                                                                                \
    CHECK(shmem_##NAME##_broadcast(who->team, source, source, n, who->size - 1) == 0, "refused");  \
    for (size_t i = 0; i < n; ++i)                                                                 \
      CHECK(((TYPE*)source)[i] == (TYPE)value_of(who->pes[who->size - 1], i), "in place");         \
  }                                                                                                \
  static void collect_##NAME(const membership* who, size_t n) {                                    \
    const size_t all = (size_t)who->size * n;                                                      \
    fill_##NAME(all + 1);                                                                          \
    CHECK(shmem_##NAME##_fcollect(who->team, dest, source, n) == 0, "refused");                    \
    for (size_t i = 0; i < all; ++i)                                                               \
      expect_##NAME("fcollect", i, value_of(who->pes[i / n], i % n));                              \
    expect_##NAME("fcollect", all, 101);                                                           \
    shmem_team_sync(who->team);                                                                    \
    fill_##NAME(all + 1);                                                                          \
    const size_t mine = who->me % 3 == 1 ? 0 : n / (1 + (size_t)who->me);                          \
    CHECK(shmem_##NAME##_collect(who->team, dest, source, mine) == 0, "refused");                  \
    size_t at = 0;                                                                                 \
    for (int m = 0; m < who->size; ++m)                                                            \
      for (size_t i = 0; i < (m % 3 == 1 ? 0 : n / (1 + (size_t)m)); ++i)                          \
        expect_##NAME("collect", at++, value_of(who->pes[m], i));                                  \
    expect_##NAME("collect", at, 101);                                                             \
  }                                                                                                \
  static void alltoall_##NAME(const membership* who, size_t n) {                                   \
    const size_t all = (size_t)who->size * n;                                                      \
    shmem_team_sync(who->team);                                                                    \
    fill_##NAME(all* k_step + 1);                                                                  \
    CHECK(shmem_##NAME##_alltoall(who->team, dest, source, n) == 0, "refused");                    \
    for (size_t i = 0; i < all; ++i)                                                               \
      expect_##NAME("alltoall", i, value_of(who->pes[i / n], (size_t)who->me* n + i % n));         \
    expect_##NAME("alltoall", all, 101);                                                           \
    shmem_team_sync(who->team);                                                                    \
    fill_##NAME(all* k_step + 1);                                                                  \
    CHECK(shmem_##NAME##_alltoalls(who->team, dest, source, k_step, 2, n) == 0, "refused");        \
    for (size_t i = 0; i < all; ++i) {                                                             \
      expect_##NAME("alltoalls", i* k_step,                                                        \
                    value_of(who->pes[i / n], ((size_t)who->me * n + i % n) * 2));                 \
      expect_##NAME("alltoalls", i* k_step + 1, 101);                                              \
    }                                                                                              \
  }                                                                                                \
  static void test_##NAME(const membership* who) {                                                 \
    for (int i = 0; i < k_counts_size; ++i) {                                                      \
      broadcast_##NAME(who, k_counts[i]);                                                          \
      shmem_team_sync(who->team);                                                                  \
      collect_##NAME(who, k_counts[i]);                                                            \
      alltoall_##NAME(who, k_counts[i]);                                                           \
      shmem_team_sync(who->team);                                                                  \
    }                                                                                              \
  }

ATOLL_SHMEM_RMA_TYPES(TEST_TYPE)

// Tests exchanges of few bytes and of many bytes.
static void test_bytes(const membership* who) {
  const size_t n = 100000;
  const size_t all = (size_t)who->size * n;
  fill_uchar(all + 1);
  CHECK(shmem_broadcastmem(who->team, dest, source, n, who->size / 2) == 0, "refused");
  for (size_t i = 0; i < n; ++i)
    expect_uchar("broadcastmem", i, value_of(who->pes[who->size / 2], i));
  shmem_team_sync(who->team);
  fill_uchar(all + 1);
  CHECK(shmem_fcollectmem(who->team, dest, source, n) == 0, "refused");
  for (size_t i = 0; i < all; ++i) expect_uchar("fcollectmem", i, value_of(who->pes[i / n], i % n));
  shmem_team_sync(who->team);
  fill_uchar(all + 1);
  CHECK(shmem_collectmem(who->team, dest, source, n) == 0, "refused");
  for (size_t i = 0; i < all; ++i) expect_uchar("collectmem", i, value_of(who->pes[i / n], i % n));
  shmem_team_sync(who->team);
  fill_uchar(all + 1);
  CHECK(shmem_alltoallmem(who->team, dest, source, n) == 0, "refused");
  for (size_t i = 0; i < all; ++i)
    expect_uchar("alltoallmem", i, value_of(who->pes[i / n], (size_t)who->me * n + i % n));
  shmem_team_sync(who->team);
  fill_uchar(2000 * (size_t)who->size);
  CHECK(shmem_alltoallsmem(who->team, dest, source, 2, 1, 1000) == 0, "refused");
  for (size_t i = 0; i < 1000 * (size_t)who->size; ++i)
    expect_uchar("alltoallsmem", i * 2,
                 value_of(who->pes[i / 1000], (size_t)who->me * 1000 + i % 1000));
  shmem_team_sync(who->team);
}

static void test_one(const membership* who) {
#define RUN(TYPE, NAME) test_##NAME(who);
  ATOLL_SHMEM_RMA_TYPES(RUN)
  test_bytes(who);
}

int main(void) {
  shmem_init();
  const size_t bytes =
      (size_t)shmem_n_pes() * 100000 + k_most * k_step * 16 * (size_t)shmem_n_pes() + 16;
  dest = shmem_malloc(bytes);
  source = shmem_malloc(bytes);
  with_teams(test_one);
  CHECK(shmem_int_broadcast(SHMEM_TEAM_INVALID, dest, source, 1, 0) != 0, "invalid team");
  CHECK(shmem_int_fcollect(SHMEM_TEAM_INVALID, dest, source, 1) != 0, "invalid team");
  CHECK(shmem_int_collect(SHMEM_TEAM_INVALID, dest, source, 1) != 0, "invalid team");
  CHECK(shmem_int_alltoall(SHMEM_TEAM_INVALID, dest, source, 1) != 0, "invalid team");
  CHECK(shmem_int_alltoalls(SHMEM_TEAM_INVALID, dest, source, 1, 1, 1) != 0, "invalid team");
  CHECK(shmem_team_sync(SHMEM_TEAM_INVALID) != 0, "invalid team");
  shmem_finalize();
  return 0;
}
