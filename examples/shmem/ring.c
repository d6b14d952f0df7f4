// A word is sent around the ring of all PEs. Each PE puts the word with a signal, and the next PE
// waits for the signal. The program is plain C.
//
// oshcc ring.c -o ring && oshrun -np 4 ./ring

#include <shmem.h>
#include <stdio.h>

static long word;
static uint64_t arrived;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int next = (me + 1) % shmem_n_pes();
  if (me == 0) {
    const long first = 1;
    shmem_long_put_signal(&word, &first, 1, &arrived, 1, SHMEM_SIGNAL_SET, next);
  }
  shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
  if (me == 0) {
    printf("the word came back as %ld from %d PEs\n", word, shmem_n_pes());
  } else {
    const long more = word + 1;
    shmem_long_put_signal(&word, &more, 1, &arrived, 1, SHMEM_SIGNAL_SET, next);
  }
  shmem_finalize();
  return 0;
}
