/* Each PE adds its number plus one to a global variable of PE 0, and PE 0 prints the sum. */
#include <shmem.h>
#include <stdio.h>

static long sum;

int main(void) {
  shmem_init();
  shmem_long_atomic_add(&sum, shmem_my_pe() + 1, 0);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("%d PEs: %ld\n", shmem_n_pes(), sum);
  shmem_finalize();
  return 0;
}
