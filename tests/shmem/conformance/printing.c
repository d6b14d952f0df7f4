// Prints on both streams, and checks that printing has not changed the job's memory.

#include "check.h"

enum { k_words = 1000 };

static long variable[k_words];

int main(void) {
  shmem_init();
  for (int i = 0; i < 200; ++i) {
    printf("%064d\n", i);
    fprintf(stderr, "%064d\n", i);
  }
  fflush(stdout);
  shmem_barrier_all();
  const long* const block = shmem_calloc(k_words, sizeof *block);
  for (int i = 0; i < k_words; ++i)
    CHECK(block[i] == 0 && variable[i] == 0, "word %d: %ld and %ld", i, block[i], variable[i]);
  shmem_barrier_all();
  shmem_long_atomic_inc(&variable[0], pe_after(1));
  shmem_barrier_all();
  CHECK(variable[0] == 1, "%ld", variable[0]);
  const char* const expected = getenv("EXPECTED_PES");
  CHECK(expected && shmem_n_pes() == atoi(expected), "%d PEs", shmem_n_pes());
  shmem_finalize();
  puts("the end");
  return check_status();
}
