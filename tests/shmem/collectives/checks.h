// Checks that the programs of this folder use. The checks compare results with values that are
// computed from the numbers of the PEs. If something is wrong, the program ends with status 1.
#ifndef CHECKS_H
#define CHECKS_H

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "PE %d: %s:%d: ", shmem_my_pe(), __FILE__, __LINE__);                        \
      fprintf(stderr, __VA_ARGS__);                                                                \
      fprintf(stderr, "\n");                                                                       \
      shmem_global_exit(1);                                                                        \
    }                                                                                              \
  } while (0)

// The values are small, so that every type represents them exactly.
static inline int value_of(int pe, size_t i) { return (int)((size_t)pe * 31 + i * 7 + 3) % 100; }

static const size_t k_counts[] = {0, 1, 7, 1000};
enum { k_counts_size = sizeof k_counts / sizeof *k_counts };

enum { k_most_members = 64 };

// A team, and for each of its members the number of the PE in the job.
typedef struct {
  shmem_team_t team;
  int size;
  int me;
  int pes[k_most_members];
} membership;

static inline membership members_of(shmem_team_t team) {
  membership who = {team, shmem_team_n_pes(team), shmem_team_my_pe(team), {0}};
  for (int i = 0; i < who.size; ++i)
    who.pes[i] = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
  return who;
}

// Calls `test` with each of several teams that contain this PE. The teams are all PEs, the PEs of
// the node, every second PE, every second PE in reverse order, and a range of PEs.
static inline void with_teams(void (*test)(const membership* who)) {
  const int pes = shmem_n_pes();
  const int odd = shmem_my_pe() % 2;
  const membership all = members_of(SHMEM_TEAM_WORLD);
  test(&all);
  const membership shared = members_of(SHMEM_TEAM_SHARED);
  test(&shared);
  shmem_team_t second[2], reversed, part;
  const int size[2] = {(pes + 1) / 2, pes / 2};
  for (int i = 0; i < 2; ++i) {
    second[i] = SHMEM_TEAM_INVALID;
    if (size[i] == 0) continue;
    const int failed =
        shmem_team_split_strided(SHMEM_TEAM_WORLD, i, 2, size[i], NULL, 0, &second[i]);
    CHECK(failed == 0, "split %d", failed);
    CHECK((second[i] == SHMEM_TEAM_INVALID) == (i != odd), "wrong members");
  }
  const membership mine = members_of(second[odd]);
  test(&mine);
  CHECK(!shmem_team_split_strided(mine.team, mine.size - 1, -1, mine.size, NULL, 0, &reversed),
        "split backwards");
  const membership backwards = members_of(reversed);
  CHECK(backwards.me == mine.size - 1 - mine.me, "%d is %d backwards", mine.me, backwards.me);
  test(&backwards);
  CHECK(!shmem_team_split_strided(reversed, 0, 1, (mine.size + 1) / 2, NULL, 0, &part), "part");
  if (part != SHMEM_TEAM_INVALID) {
    const membership first = members_of(part);
    test(&first);
    shmem_team_destroy(part);
  }
  shmem_team_destroy(reversed);
  shmem_team_destroy(second[odd]);
}

#endif
