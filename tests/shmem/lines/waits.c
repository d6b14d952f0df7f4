/* The argument selects the call that the program makes. In most calls, the PEs wait forever: for a
   value that no PE puts, or for the last PE. Other calls must be refused. */
#include <shmem.h>
#include <stdint.h>
#include <string.h>

static long word, sum, lock;
static uint64_t signal_word;

int main(int argc, char** argv) {
  const char* const mode = argc > 1 ? argv[1] : "";
  shmem_init();
  const int is_last = shmem_my_pe() == shmem_n_pes() - 1;
  shmem_barrier_all();
  if (strcmp(mode, "wait") == 0) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  if (strcmp(mode, "signal") == 0) shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
  if (strcmp(mode, "lock") == 0) {
    shmem_set_lock(&lock);
    shmem_barrier_all(); /* the other PEs wait for the lock */
  }
  if (strcmp(mode, "absent") == 0) shmem_long_p(&word, 1, 99);
  if (strcmp(mode, "private") == 0) shmem_long_p((long*)&mode, 1, 0);
  if (strcmp(mode, "much") == 0) shmem_long_put(&word, &sum, SIZE_MAX / 4, 0);
  if (is_last) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  if (strcmp(mode, "barrier") == 0) shmem_barrier_all();
  if (strcmp(mode, "malloc") == 0) shmem_malloc(8);
  if (strcmp(mode, "sum") == 0) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &word, 1);
  shmem_finalize();
  return 0;
}
