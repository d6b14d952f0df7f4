// Tests teams and their contexts: how teams are split, numbered, nested, exhausted and destroyed.

#include "checks.h"

static long* word;  // one word on each PE

static void check_predefined(void) {
  CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == shmem_my_pe(), "number in the world");
  CHECK(shmem_team_n_pes(SHMEM_TEAM_WORLD) == shmem_n_pes(), "size of the world");
  CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1, "number in no team");
  CHECK(shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1, "size of no team");
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD) == -1, "no team");
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, shmem_n_pes(), SHMEM_TEAM_WORLD) == -1, "no PE");
  const int shared = shmem_team_n_pes(SHMEM_TEAM_SHARED);
  int reached = 0;
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    const int is_in = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) != -1;
    CHECK(is_in == (shmem_ptr(word, pe) != NULL), "PE %d is in the shared team: %d", pe, is_in);
    reached += is_in;
  }
  CHECK(shared == reached, "%d share memory, not %d", shared, reached);
}

static int split(shmem_team_t parent, int start, int stride, int size, shmem_team_t* team) {
  *team = SHMEM_TEAM_WORLD;
  return shmem_team_split_strided(parent, start, stride, size, NULL, 0, team);
}

static void check_refused(void) {
  const int pes = shmem_n_pes();
  const int wrong[][3] = {{-1, 1, 1}, {pes, 1, 1}, {0, 1, 0},       {0, 1, pes + 1},
                          {0, 1, -1}, {0, pes, 2}, {pes - 1, 1, 2}, {0, -1, 2}};
  shmem_team_t team;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    const int refused = split(SHMEM_TEAM_WORLD, wrong[i][0], wrong[i][1], wrong[i][2], &team);
    CHECK(refused != 0 && team == SHMEM_TEAM_INVALID, "split %zu", i);
  }
  CHECK(split(SHMEM_TEAM_INVALID, 0, 1, 1, &team) != 0 && team == SHMEM_TEAM_INVALID, "no parent");
  shmem_team_t other = SHMEM_TEAM_WORLD;
  team = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &other) != 0, "range 0");
  CHECK(team == SHMEM_TEAM_INVALID && other == SHMEM_TEAM_INVALID, "teams of range 0");
  CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &team, NULL, 0, &other) != 0, "none");
  shmem_team_destroy(SHMEM_TEAM_INVALID);
}

// A field of the configuration that is not in the mask must have its default value, whatever value
// the structure has.
static void check_unmasked_config(void) {
  const shmem_team_config_t asked = {3};
  shmem_team_config_t config = {-1};
  shmem_team_t teams[3];
  const int all = shmem_n_pes();
  CHECK(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, all, &asked, 0, &teams[0]), "split");
  CHECK(!shmem_team_split_2d(SHMEM_TEAM_WORLD, all, &asked, 0, &teams[1], &asked,
                             SHMEM_TEAM_NUM_CONTEXTS, &teams[2]),
        "split_2d");
  for (int i = 0; i < 3; ++i) {
    CHECK(!shmem_team_get_config(teams[i], SHMEM_TEAM_NUM_CONTEXTS, &config), "get_config");
    CHECK(config.num_contexts == (i == 2 ? 3 : 0), "team %d: %d contexts", i, config.num_contexts);
    shmem_team_destroy(teams[i]);
  }
}

static void check_config(void) {
  shmem_team_config_t config = {3};
  shmem_team_t team;
  const int all = shmem_n_pes();
  CHECK(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, all, &config, SHMEM_TEAM_NUM_CONTEXTS,
                                  &team),
        "split");
  config.num_contexts = 0;
  CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0, "get_config");
  CHECK(config.num_contexts == 3, "%d contexts", config.num_contexts);
  check_unmasked_config();
  CHECK(shmem_team_get_config(team, 0, NULL) == 0, "get_config of nothing");
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, &config) != 0, "get_config of no team");
  shmem_ctx_t contexts[3];
  for (int i = 0; i < 3; ++i) {
    CHECK(shmem_team_create_ctx(team, i == 0 ? 0 : SHMEM_CTX_PRIVATE, &contexts[i]) == 0, "ctx");
    shmem_team_t of;
    CHECK(shmem_ctx_get_team(contexts[i], &of) == 0 && of == team, "team of a context");
  }
  for (int i = 0; i < 3; ++i) shmem_ctx_destroy(contexts[i]);
  shmem_team_destroy(team);
}

static void check_contexts(void) {
  shmem_ctx_t context;
  shmem_team_t team;
  CHECK(shmem_ctx_create(SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE, &context) == 0, "ctx_create");
  CHECK(shmem_ctx_get_team(context, &team) == 0 && team == SHMEM_TEAM_WORLD, "its team");
  shmem_ctx_destroy(context);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD, "default");
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID, "none");
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &context) != 0, "context of no team");
  CHECK(context == SHMEM_CTX_INVALID, "a context of no team");
  shmem_ctx_destroy(SHMEM_CTX_INVALID);
}

// Splits a team by every range of the first axis, even by ranges larger than the team.
static void check_2d(void) {
  const int pes = shmem_n_pes();
  for (int range = 1; range <= pes + 2; ++range) {
    const int width = range < pes ? range : pes;
    const int row = shmem_my_pe() / width;
    const int column = shmem_my_pe() % width;
    shmem_team_t x, y;
    CHECK(!shmem_team_split_2d(SHMEM_TEAM_WORLD, range, NULL, 0, &x, NULL, 0, &y), "split_2d");
    CHECK(shmem_team_my_pe(x) == column && shmem_team_my_pe(y) == row, "place %d", range);
    const int in_row = pes - row * width < width ? pes - row * width : width;
    CHECK(shmem_team_n_pes(x) == in_row, "row of %d", shmem_team_n_pes(x));
    CHECK(shmem_team_n_pes(y) == (pes - column + width - 1) / width, "column");
    long* const sum = word + pes;
    *word = shmem_my_pe();
    CHECK(shmem_long_max_reduce(x, sum, word, 1) == 0, "reduce in the row");
    CHECK(*sum == row * width + in_row - 1, "the last in the row is %ld", *sum);
    CHECK(shmem_long_min_reduce(y, sum, word, 1) == 0, "reduce in the column");
    CHECK(*sum == column, "the first in the column is %ld", *sum);
    shmem_team_destroy(x);
    shmem_team_destroy(y);
  }
}

// Makes teams until no more can be made. Each PE must be able to make exactly 64 teams. After teams
// are destroyed, a PE can make 64 teams again.
static void check_limit(void) {
  enum { k_more_than_there_are = 200 };
  shmem_team_t teams[k_more_than_there_are];
  for (int turn = 0; turn < 3; ++turn) {
    int made = 0;
    while (made < k_more_than_there_are &&
           split(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), &teams[made]) == 0)
      ++made;
    CHECK(made == 64, "%d teams", made);
    CHECK(teams[made] == SHMEM_TEAM_INVALID, "one team too many");
    for (int i = 0; i < made; ++i) {
      CHECK(shmem_team_sync(teams[i]) == 0, "sync");
      CHECK(shmem_team_my_pe(teams[i]) == shmem_my_pe(), "number");
    }
    for (int i = made; i-- != 0;) shmem_team_destroy(teams[i]);
  }
}

// Makes and destroys many teams. Each team is used once before it is destroyed.
static void check_many(void) {
  const int pes = shmem_n_pes();
  for (int i = 0; i < 1000; ++i) {
    const int start = i % pes;
    const int stride = 1 + i % 3;
    const int size = (pes - start + stride - 1) / stride;
    shmem_team_t team, part;
    CHECK(split(SHMEM_TEAM_WORLD, start, stride, size, &team) == 0, "split %d", i);
    const int distance = shmem_my_pe() - start;
    const int is_in = distance >= 0 && distance % stride == 0;
    CHECK((team != SHMEM_TEAM_INVALID) == is_in, "wrong members");
    if (!is_in) continue;
    *word = 1;
    CHECK(shmem_long_sum_reduce(team, word + 1, word, 1) == 0 && word[1] == size, "%d", i);
    CHECK(split(team, size - 1, -1, (size + 1) / 2, &part) == 0, "nested split");
    if (part != SHMEM_TEAM_INVALID) {
      CHECK(shmem_long_sum_reduce(part, word + 1, word, 1) == 0, "nested");
      CHECK(word[1] == (size + 1) / 2, "nested %ld", word[1]);
      shmem_team_destroy(part);
    }
    shmem_team_destroy(team);
  }
}

int main(void) {
  shmem_init();
  word = shmem_malloc(sizeof(long) * (2 * (size_t)shmem_n_pes() + 2));
  check_predefined();
  check_refused();
  check_config();
  check_contexts();
  check_2d();
  check_limit();
  check_many();
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
