// Ends a job in the way that the arguments select: `exits HOW [STATUS]`. The calling script knows
// the status with which the job must end.

#define _POSIX_C_SOURCE 200809L  // _exit

#include "check.h"

#include <unistd.h>

static bool is_last(void) { return shmem_my_pe() == shmem_n_pes() - 1; }

static void wait_for_ever(void) {
  static long never;
  if (shmem_my_pe() % 2)
    shmem_barrier_all();
  else
    shmem_long_wait_until(&never, SHMEM_CMP_EQ, 1);
}

// Checks that shmem_finalize completes all operations that were begun before this call.
static void count_and_finalize(void) {
  static long seen;
  const bool counts = shmem_my_pe() == 0;
  const int pes = shmem_n_pes();
  shmem_long_atomic_inc(&seen, 0);
  shmem_finalize();
  CHECK(!counts || seen == pes, "%ld of %d", seen, pes);
}

// Returns from main without a call of shmem_finalize. After the return from main, the runtime must
// finalize itself, and must not lose any operation that was begun.
static int return_without_finalize(int status) {
  static long words[64];
  for (int pe = 0; pe < shmem_n_pes(); ++pe) shmem_long_p(&words[shmem_my_pe()], 1, pe);
  printf("returns\n");
  return status;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  const int status = argc > 2 ? atoi(argv[2]) : 0;
  if (strcmp(how, "before_init") == 0) exit(status);
  shmem_init();
  shmem_barrier_all();
  if (strcmp(how, "finalize") == 0) {
    count_and_finalize();
    return check_status() == 0 ? status : 98;
  }
  if (strcmp(how, "return") == 0) return return_without_finalize(status);
  if (strcmp(how, "exit_all") == 0) exit(status);
  if (is_last()) {
    if (strcmp(how, "global_exit") == 0) shmem_global_exit(status);
    if (strcmp(how, "exit") == 0) exit(status);
    if (strcmp(how, "quick_exit") == 0) _exit(status);
    if (strcmp(how, "abort") == 0) abort();
    fprintf(stderr, "no such end: %s\n", how);
    shmem_global_exit(99);
  }
  wait_for_ever();
}
