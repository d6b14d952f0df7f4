// This file is compiled, but never run. The program uses the generic names of OpenSHMEM in C11, in
// ways that could confuse generic macros.

// A user's program may define macros with names like these before it includes shmem.h.
#define uint unsigned int
#define ulong unsigned long
#define p 1
#define g 2
#define mem 3
#define put 4

#include "every_generic_name.h"

ARITHMETIC(float _Complex, complexf)
ARITHMETIC(double _Complex, complexd)

static int numbers[4];
static const long limits[2] = {1, 2};

int arrays_literals_and_nested_calls(void);
int arrays_literals_and_nested_calls(void) {
  const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
  shmem_put(numbers, ((int[]){1, 2, 3}), 3, 1);
  shmem_put(ctx, &numbers[1], (int[2]){4, 5}, 2, 1);
  shmem_broadcast(SHMEM_TEAM_WORLD, numbers, (const int[]){1, 2}, 2, 0);
  shmem_p(numbers, shmem_g(&numbers[shmem_g(numbers, 0)], 1), shmem_g(numbers, 1));
  return (int)shmem_g(limits, 0) + (int)shmem_atomic_fetch(ctx, limits, 0);
}

void deprecated_functions_of_generic_names(long* pSync);
void deprecated_functions_of_generic_names(long* pSync) {
  volatile long flag = 0;
  void (*wait)(volatile long*, int, long) = shmem_wait_until;
  shmem_sync(0, 0, 2, pSync);
  shmem_wait(&flag, 0);
  wait(&flag, SHMEM_CMP_NE, 0);
  (shmem_wait_until)(&flag, SHMEM_CMP_NE, 0);
}
