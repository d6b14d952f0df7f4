// Tests distributed locks. Only one PE holds a lock. A holder sees what the previous holder has
// stored, and passes the lock on to the next PE.

#include "check.h"

enum { k_locks = 5, k_rounds = 60 };

static long static_locks[k_locks];

typedef struct {
  long* counts;   // The holder of lock i changes its counters on PE i modulo the number of PEs.
  long* holders;  // 1 + the number of the PE that holds the lock
} guarded;

static int home_of(size_t i) { return (int)(i % (size_t)shmem_n_pes()); }

// Changes words. Only the lock makes the change atomic and visible in order.
static void change(const guarded* g, size_t i) {
  const int home = home_of(i);
  const long before = shmem_long_g(&g->holders[i], home);
  CHECK(before == 0, "lock %zu is held by PE %ld as well", i, before - 1);
  shmem_long_p(&g->holders[i], shmem_my_pe() + 1, home);
  const long count = shmem_long_g(&g->counts[i], home);
  shmem_long_p(&g->counts[i], count + 1, home);
  shmem_long_p(&g->holders[i], 0, home);
}

static guarded guard(void) {
  return (guarded){shmem_calloc(k_locks, sizeof(long)), shmem_calloc(k_locks, sizeof(long))};
}

static void check_counts(const guarded* g, long expected) {
  shmem_barrier_all();
  for (size_t i = 0; i < k_locks; ++i) {
    const long count = shmem_long_g(&g->counts[i], home_of(i));
    CHECK(count == expected, "lock %zu: %ld, not %ld", i, count, expected);
  }
  shmem_barrier_all();
  shmem_free(g->counts);
  shmem_free(g->holders);
}

static void take_by_set(long* lock) { shmem_set_lock(lock); }

static void take_by_test(long* lock) {
  while (shmem_test_lock(lock) != 0) {
  }
}

static void take_by_either(long* lock) {
  if (shmem_test_lock(lock) != 0) shmem_set_lock(lock);
}

static void check_alone(long* locks, void (*take)(long* lock)) {
  const guarded g = guard();
  shmem_barrier_all();
  for (size_t n = 0; n < k_rounds * k_locks; ++n) {
    const size_t i = (n + (size_t)shmem_my_pe()) % k_locks;
    take(&locks[i]);
    change(&g, i);
    shmem_clear_lock(&locks[i]);
  }
  check_counts(&g, (long)k_rounds * shmem_n_pes());
}

// Checks on each PE in turn that no lock is held.
static void check_free(long* locks) {
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    for (size_t i = 0; i < k_locks && pe == shmem_my_pe(); ++i) {
      CHECK(shmem_test_lock(&locks[i]) == 0, "lock %zu is free", i);
      shmem_clear_lock(&locks[i]);
    }
    shmem_barrier_all();
  }
}

// Acquires several locks, in the same order on all PEs.
static void check_nested(long* locks) {
  const guarded g = guard();
  shmem_barrier_all();
  for (int round = 0; round < k_rounds / 4; ++round) {
    for (size_t i = 0; i < k_locks; ++i) shmem_set_lock(&locks[i]);
    for (size_t i = 0; i < k_locks; ++i) change(&g, i);
    for (size_t i = 0; i < k_locks; ++i) shmem_clear_lock(&locks[i]);
  }
  check_counts(&g, (long)(k_rounds / 4) * shmem_n_pes());
}

// A held lock must not be granted to another PE, and must be granted after it is cleared.
static void check_held(long* lock) {
  for (int holder = 0; holder < shmem_n_pes(); ++holder) {
    if (shmem_my_pe() == holder) shmem_set_lock(lock);
    shmem_barrier_all();
    if (shmem_my_pe() != holder)
      for (int i = 0; i < 3; ++i) CHECK(shmem_test_lock(lock) != 0, "PE %d has it", holder);
    shmem_barrier_all();
    if (shmem_my_pe() == holder) shmem_clear_lock(lock);
    shmem_set_lock(lock);
    shmem_clear_lock(lock);
    shmem_barrier_all();
  }
}

// The next holder must find the data that the previous holder has put.
static void check_release(long* lock) {
  enum { k_words = 3000 };
  long* const words = shmem_calloc(k_words, sizeof(long));
  long* const copy = malloc(k_words * sizeof(long));
  shmem_barrier_all();
  const int home = shmem_n_pes() - 1;
  for (int round = 0; round < 20; ++round) {
    shmem_set_lock(lock);
    shmem_long_get(copy, words, k_words, home);
    for (size_t i = 0; i < k_words; ++i) {
      CHECK(copy[i] == copy[0], "word %zu is %ld, word 0 %ld", i, copy[i], copy[0]);
      copy[i] = copy[0] + (i > 0);
    }
    ++copy[0];
    shmem_long_put_nbi(words, copy, k_words, home);
    shmem_clear_lock(lock);
  }
  shmem_barrier_all();
  CHECK(shmem_long_g(words, home) == 20L * shmem_n_pes(), "%ld", shmem_long_g(words, home));
  shmem_barrier_all();
  free(copy);
  shmem_free(words);
}

int main(void) {
  shmem_init();
  long* const locks = shmem_calloc(k_locks, sizeof(long));
  check_alone(locks, take_by_set);
  check_alone(static_locks, take_by_set);
  check_alone(locks, take_by_either);
  check_alone(static_locks, take_by_test);
  check_nested(locks);
  check_free(locks);
  check_free(static_locks);
  check_held(&locks[1]);
  check_release(&static_locks[2]);
  shmem_free(locks);
  shmem_finalize();
  return check_status();
}
