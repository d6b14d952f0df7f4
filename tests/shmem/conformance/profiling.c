// Tests the profiling interface. A tool may redefine functions. Each function that this program
// redefines counts its calls, and then calls the original function by the name with a p in front.
// Functions that this program does not redefine can be called with and without the p.

#include "check.h"

typedef enum {
  count_init,
  count_malloc,
  count_put,
  count_add,
  count_quiet,
  count_barrier,
  k_counts
} counted;

static int counts[k_counts];

void shmem_init(void) {
  ++counts[count_init];
  pshmem_init();
}

void* shmem_malloc(size_t size) {
  ++counts[count_malloc];
  return pshmem_malloc(size);
}

void shmem_int_put(int* dest, const int* source, size_t nelems, int pe) {
  ++counts[count_put];
  pshmem_int_put(dest, source, nelems, pe);
}

long shmem_long_atomic_fetch_add(long* dest, long value, int pe) {
  ++counts[count_add];
  return pshmem_long_atomic_fetch_add(dest, value, pe);
}

void shmem_quiet(void) {
  ++counts[count_quiet];
  pshmem_quiet();
}

void shmem_barrier_all(void) {
  ++counts[count_barrier];
  pshmem_barrier_all();
}

static void check_both_names_do_the_same(void) {
  static long word;
  pshmem_long_p(&word, 7, pe_after(1));
  pshmem_barrier_all();
  CHECK(word == 7 && pshmem_long_g(&word, pe_after(1)) == 7, "%ld", word);
  pshmem_barrier_all();
  const long before = pshmem_long_atomic_swap(&word, 8, pe_after(1));
  pshmem_barrier_all();
  CHECK(before == 7 && word == 8, "%ld, then %ld", before, word);
  CHECK(pshmem_my_pe() == shmem_my_pe() && pshmem_n_pes() == shmem_n_pes(), "the PEs");
  pshmem_barrier_all();
}

int main(void) {
  shmem_init();
  int* const block = shmem_malloc(4 * sizeof(int));
  static long word;
  const int values[4] = {1, 2, 3, shmem_my_pe()};
  shmem_int_put(block, values, 4, pe_after(1));
  // The generic name also selects the tool's function.
  shmem_put(block, values, 4, pe_after(1));
  shmem_quiet();
  shmem_barrier_all();
  CHECK(block[2] == 3 && block[3] == pe_before(1), "%d", block[3]);
  CHECK(shmem_long_atomic_fetch_add(&word, 5, shmem_my_pe()) == 0 && word == 5, "%ld", word);
  shmem_pcontrol(2);  // The call gives a tool a number, and has no effect without a tool.
  pshmem_pcontrol(1, "a tool may take more", 3);
  const int expected[k_counts] = {1, 1, 2, 1, 1, 1};
  for (int i = 0; i < k_counts; ++i)
    CHECK(counts[i] == expected[i], "function %d was called %d times", i, counts[i]);
  check_both_names_do_the_same();
  shmem_free(block);
  shmem_finalize();
  return check_status();
}
