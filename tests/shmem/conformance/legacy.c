// Tests deprecated functions: names from before OpenSHMEM, atomics without `atomic` in their name,
// waits for one value, short integers, and caches. (Other programs test the collectives on active
// sets.)

#include "amo_families.h"

#define CALL_fetch CALL_atomic_fetch
#define CALL_set CALL_atomic_set
#define CALL_swap CALL_atomic_swap
#define CALL_cswap CALL_atomic_compare_swap
#define CALL_finc CALL_atomic_fetch_inc
#define CALL_inc CALL_atomic_inc
#define CALL_fadd CALL_atomic_fetch_add
#define CALL_add CALL_atomic_add
#define KIND_fetch KIND_atomic_fetch
#define KIND_set KIND_atomic_set
#define KIND_swap KIND_atomic_swap
#define KIND_cswap KIND_atomic_compare_swap
#define KIND_finc KIND_atomic_fetch_inc
#define KIND_inc KIND_atomic_inc
#define KIND_fadd KIND_atomic_fetch_add
#define KIND_add KIND_atomic_add

ATOLL_SHMEM_OLD_AMO_EXTENDED_DISTINCT(ATOLL_SHMEM_OLD_AMO_EXTENDED, ADAPT)
ATOLL_SHMEM_OLD_AMO_DISTINCT(ATOLL_SHMEM_OLD_AMO, ADAPT)

static const amo operations[] = {
    // clang-format off
    ATOLL_SHMEM_OLD_AMO_EXTENDED_DISTINCT(ATOLL_SHMEM_OLD_AMO_EXTENDED, ADAPTED)
    ATOLL_SHMEM_OLD_AMO_DISTINCT(ATOLL_SHMEM_OLD_AMO, ADAPTED)
    // clang-format on
};

static _Alignas(8) char static_words[8 * COUNT_OF(operations)];

static void check_names(void) {
  CHECK(_my_pe() == shmem_my_pe(), "%d", _my_pe());
  CHECK(_num_pes() == shmem_n_pes(), "%d", _num_pes());
  const int me = shmem_my_pe();
  start_pes(17);
  CHECK(shmem_my_pe() == me, "%d", shmem_my_pe());
  CHECK(_SHMEM_MAJOR_VERSION == 1 && _SHMEM_MAX_NAME_LEN >= 8, "macros");
}

static void check_memory(void) {
  long* words = shmalloc(10 * sizeof(long));
  for (int i = 0; i < 10; ++i) words[i] = i;
  words = shrealloc(words, 1000 * sizeof(long));
  for (int i = 0; i < 10; ++i) CHECK(words[i] == i, "%ld", words[i]);
  shmem_barrier_all();
  shmem_long_p(&words[999], shmem_my_pe(), pe_after(1));
  shmem_barrier_all();
  CHECK(words[999] == pe_before(1), "%ld", words[999]);
  char* const aligned = shmemalign(1024, 10);
  CHECK(aligned != NULL && (uintptr_t)aligned % 1024 == 0, "%p", (void*)aligned);
  shfree(aligned);
  shfree(words);
}

static void check_caches(void) {
  static long word = 3;
  shmem_barrier_all();
  shmem_set_cache_inv();
  shmem_set_cache_line_inv(&word);
  shmem_long_p(&word, 4 + shmem_my_pe(), pe_after(1));
  shmem_udcflush();
  shmem_udcflush_line(&word);
  shmem_barrier_all();
  shmem_clear_cache_inv();
  shmem_clear_cache_line_inv(&word);
  CHECK(word == 4 + pe_before(1), "%ld", word);
}

// Calls the function `shmem_wait_until_long`, which a generic name of C11 hides.
static void wait_until_long(long* word, int comparison, long value) {
  (shmem_wait_until)(word, comparison, value);
}

#define CHECK_WAIT(TYPE, NAME, CALL)                                                               \
  {                                                                                                \
    static TYPE word;                                                                              \
    const TYPE value = 5;                                                                          \
    shmem_barrier_all();                                                                           \
    shmem_putmem(&word, &value, sizeof word, pe_after(1));                                         \
    CALL;                                                                                          \
    CHECK(word == 5, "%s of " #TYPE, NAME);                                                        \
    shmem_barrier_all();                                                                           \
  }
#define WAIT(TYPE, NAME, UNUSED) CHECK_WAIT(TYPE, "wait", shmem_##NAME##_wait(&word, 0))
#define WAIT_UNTIL(TYPE, NAME, UNUSED)                                                             \
  CHECK_WAIT(TYPE, "wait_until EQ", shmem_##NAME##_wait_until(&word, SHMEM_CMP_EQ, 5))             \
  CHECK_WAIT(TYPE, "wait_until NE", shmem_##NAME##_wait_until(&word, SHMEM_CMP_NE, 0))             \
  CHECK_WAIT(TYPE, "wait_until GT", shmem_##NAME##_wait_until(&word, SHMEM_CMP_GT, 4))             \
  CHECK_WAIT(TYPE, "wait_until GE", shmem_##NAME##_wait_until(&word, SHMEM_CMP_GE, 5))
#define TEST(TYPE, NAME, UNUSED)                                                                   \
  {                                                                                                \
    TYPE word = 5;                                                                                 \
    CHECK(shmem_##NAME##_test(&word, SHMEM_CMP_EQ, 5) == 1, #TYPE);                                \
    CHECK(shmem_##NAME##_test(&word, SHMEM_CMP_LT, 5) == 0, #TYPE);                                \
    CHECK(shmem_##NAME##_test(&word, SHMEM_CMP_LE, 5) == 1, #TYPE);                                \
    CHECK(shmem_##NAME##_test(&word, SHMEM_CMP_NE, 5) == 0, #TYPE);                                \
  }

static void check_waits(void) {
  ATOLL_SHMEM_OLD_INTEGERS(WAIT, )
  ATOLL_SHMEM_SHORTS(WAIT_UNTIL, )
  ATOLL_SHMEM_SHORTS(TEST, )
  CHECK_WAIT(long, "shmem_wait", shmem_wait(&word, 0))
  CHECK_WAIT(long, "shmem_wait_until", wait_until_long(&word, SHMEM_CMP_GE, 5))
}

int main(void) {
  start_pes(0);
  amo_check_all(operations, COUNT_OF(operations), static_words);
  check_names();
  check_memory();
  check_caches();
  check_waits();
  // The program does not call shmem_finalize, which is newer than start_pes.
  return check_status();
}
