// Tests functions for setup, exit and queries. Also tests which thread level a program has if it
// requests no thread level.

#include "check.h"

static long static_word;

static void check_version(void) {
  int major = 0;
  int minor = 0;
  shmem_info_get_version(&major, &minor);
  CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION, "%d.%d", major, minor);
  CHECK(major == 1 && minor == 5, "%d.%d", major, minor);
  char name[SHMEM_MAX_NAME_LEN];
  memset(name, 'x', sizeof name);
  shmem_info_get_name(name);
  CHECK(memchr(name, '\0', sizeof name) != NULL, "the name has an end");
  CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0, "%s", name);
}

static void check_accessible(void) {
  long* const heap_word = shmem_malloc(sizeof(long));
  long stack_word = 0;
  void* const own = malloc(8);
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    CHECK(shmem_pe_accessible(pe) == 1, "PE %d", pe);
    CHECK(shmem_addr_accessible(heap_word, pe) == 1, "heap of PE %d", pe);
    CHECK(shmem_addr_accessible(&static_word, pe) == 1, "static memory of PE %d", pe);
    CHECK(shmem_addr_accessible(&stack_word, pe) == 0, "stack of PE %d", pe);
    CHECK(shmem_addr_accessible(own, pe) == 0, "memory of malloc of PE %d", pe);
    CHECK(shmem_ptr(&stack_word, pe) == NULL && shmem_ptr(own, pe) == NULL, "PE %d", pe);
  }
  const int strangers[] = {-1, shmem_n_pes(), shmem_n_pes() + 1000};
  for (size_t i = 0; i < COUNT_OF(strangers); ++i) {
    CHECK(shmem_pe_accessible(strangers[i]) == 0, "PE %d", strangers[i]);
    CHECK(shmem_addr_accessible(heap_word, strangers[i]) == 0, "PE %d", strangers[i]);
    CHECK(shmem_ptr(heap_word, strangers[i]) == NULL, "PE %d", strangers[i]);
  }
  CHECK(shmem_ptr(heap_word, shmem_my_pe()) == heap_word, "own heap");
  CHECK(shmem_ptr(&static_word, shmem_my_pe()) == &static_word, "own static memory");
  free(own);
  shmem_free(heap_word);
}

// If shmem_ptr returns a pointer to a word of another PE, loads and stores through the pointer must
// access this word.
static void check_pointer_to(long* word) {
  *word = 100 + shmem_my_pe();
  shmem_barrier_all();
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    const long* const there = shmem_ptr(word, pe);
    CHECK(there == NULL || *there == 100 + pe, "%ld on PE %d", *there, pe);
  }
  shmem_barrier_all();
  long* const next = shmem_ptr(word, pe_after(1));
  if (next != NULL)
    *next = shmem_my_pe();
  else
    shmem_long_p(word, shmem_my_pe(), pe_after(1));
  shmem_barrier_all();
  CHECK(*word == pe_before(1), "%ld", *word);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  CHECK(me >= 0 && me < pes, "PE %d of %d", me, pes);
  shmem_init();
  CHECK(shmem_my_pe() == me && shmem_n_pes() == pes, "PE %d of %d", shmem_my_pe(), shmem_n_pes());
  int level = -1;
  shmem_query_thread(&level);
  CHECK(level >= SHMEM_THREAD_SINGLE && level <= SHMEM_THREAD_MULTIPLE, "%d", level);
  CHECK(getenv("EXPECTED_PES") == NULL || atoi(getenv("EXPECTED_PES")) == pes, "%d PEs", pes);
  static long numbers[64];
  for (int pe = 0; pe < pes; ++pe) shmem_long_p(&numbers[me], me + 1, pe);
  shmem_barrier_all();
  for (int pe = 0; pe < pes; ++pe) CHECK(numbers[pe] == pe + 1, "PE %d: %ld", pe, numbers[pe]);
  check_version();
  check_accessible();
  check_pointer_to(&static_word);
  long* const heap_word = shmem_malloc(sizeof(long));
  check_pointer_to(heap_word);
  shmem_free(heap_word);
  shmem_finalize();
  shmem_finalize();
  return check_status();
}
