// Tests every atomic memory operation, with and without a context. The results of nonblocking
// operations must be complete after quiet.

#include "amo_families.h"

ATOLL_SHMEM_AMO_EXTENDED_TABLE(ATOLL_SHMEM_AMO_EXTENDED, ADAPT_BOTH)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_AMO_STANDARD, ADAPT_BOTH)
ATOLL_SHMEM_AMO_BITWISE_TABLE(ATOLL_SHMEM_AMO_BITWISE, ADAPT_BOTH)

static const amo operations[] = {
    // clang-format off
    ATOLL_SHMEM_AMO_EXTENDED_TABLE(ATOLL_SHMEM_AMO_EXTENDED, ADAPTED_BOTH)
    ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_AMO_STANDARD, ADAPTED_BOTH)
    ATOLL_SHMEM_AMO_BITWISE_TABLE(ATOLL_SHMEM_AMO_BITWISE, ADAPTED_BOTH)
    // clang-format on
};

static _Alignas(8) char static_words[8 * COUNT_OF(operations)];

// The library must allow many nonblocking operations to be in flight at the same time.
static void check_many_at_once(void) {
  enum { k_many = 500 };
  static long counter;
  static long fetched[k_many];
  for (int i = 0; i < k_many; ++i)
    shmem_long_atomic_fetch_add_nbi(&fetched[i], &counter, 2, pe_after(1));
  shmem_quiet();
  for (int i = 0; i < k_many; ++i) CHECK(fetched[i] == 2L * i, "%d: %ld", i, fetched[i]);
  shmem_barrier_all();
  CHECK(counter == 2L * k_many, "%ld", counter);
}

int main(void) {
  shmem_init();
  amo_check_all(operations, COUNT_OF(operations), static_words);
  check_many_at_once();
  shmem_finalize();
  return check_status();
}
