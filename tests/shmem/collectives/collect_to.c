// Tests collect operations whose result only one PE gets.

#include "checks.h"

#include <shmemx.h>

static void* dest;
static void* source;

#define TEST_TYPE(TYPE, NAME)                                                                      \
  static void test_##NAME(const membership* who) {                                                 \
    TYPE* const to = dest;                                                                         \
    for (int root = 0; root < who->size; ++root)                                                   \
      for (int s = 0; s < k_counts_size; ++s) {                                                    \
        const size_t n = k_counts[s];                                                              \
        for (size_t i = 0; i < n; ++i) ((TYPE*)source)[i] = (TYPE)value_of(shmem_my_pe(), i);      \
        to[0] = (TYPE)101;                                                                         \
        shmem_team_sync(who->team);                                                                \
        CHECK(shmemx_##NAME##_fcollect_to(who->team, to, source, n, root) == 0, "refused");        \
        for (size_t i = 0; who->me == root && i < n * (size_t)who->size; ++i)                      \
          CHECK(to[i] == (TYPE)value_of(who->pes[i / n], i % n), "fcollect_to of %s", #NAME);      \
        CHECK(who->me == root || to[0] == (TYPE)101, "written");                                   \
        const size_t mine = n / (1 + (size_t)who->me);                                             \
        CHECK(shmemx_##NAME##_collect_to(who->team, to, source, mine, root) == 0, "refused");      \
        size_t at = 0;                                                                             \
        for (int m = 0; who->me == root && m < who->size; ++m)                                     \
          for (size_t i = 0; i < n / (1 + (size_t)m); ++i)                                         \
            CHECK(to[at++] == (TYPE)value_of(who->pes[m], i), "collect_to of %s", #NAME);          \
        CHECK(who->me == root || to[0] == (TYPE)101, "written");                                   \
      }                                                                                            \
  }

ATOLL_SHMEM_RMA_TYPES(TEST_TYPE)

static void test_one(const membership* who) {
#define RUN(TYPE, NAME) test_##NAME(who);
  ATOLL_SHMEM_RMA_TYPES(RUN)
  memset(source, shmem_my_pe() + 1, 5);
  shmem_team_sync(who->team);
  CHECK(shmemx_fcollectmem_to(who->team, dest, source, 5, 0) == 0, "refused");
  for (int i = 0; who->me == 0 && i < who->size * 5; ++i)
    CHECK(((char*)dest)[i] == who->pes[i / 5] + 1, "fcollectmem_to");
  CHECK(shmemx_collectmem_to(who->team, dest, source, 5, 0) == 0, "refused");
  for (int i = 0; who->me == 0 && i < who->size * 5; ++i)
    CHECK(((char*)dest)[i] == who->pes[i / 5] + 1, "collectmem_to");
  shmem_team_sync(who->team);
}

int main(void) {
  shmem_init();
  dest = shmem_malloc(1000 * 16 * (size_t)shmem_n_pes() + 16);
  source = shmem_malloc(1000 * 16);
  with_teams(test_one);
  CHECK(shmemx_int_collect_to(SHMEM_TEAM_INVALID, dest, source, 1, 0) != 0, "invalid team");
  shmem_finalize();
  return 0;
}
