// Tests memory ordering. fence keeps the order of puts to one PE, and quiet completes puts to all
// PEs. If a flag is put after a fence or a quiet, a PE that sees the flag also sees the data.

#include "check.h"

enum { k_words = 400, k_rounds = 100 };

static long data[k_words];
static long flag;
static long answer;

static void fence_default(void) { shmem_fence(); }
static void fence_ctx(void) { shmem_ctx_fence(SHMEM_CTX_DEFAULT); }
static void quiet_default(void) { shmem_quiet(); }
static void quiet_ctx(void) { shmem_ctx_quiet(SHMEM_CTX_DEFAULT); }

static void put_blocking(const long* from, int pe) { shmem_long_put(data, from, k_words, pe); }
static void put_later(const long* from, int pe) { shmem_long_put_nbi(data, from, k_words, pe); }
static void put_words(const long* from, int pe) {
  for (size_t i = 0; i < k_words; ++i) shmem_long_p(&data[i], from[i], pe);
}
static void add_words(const long* from, int pe) {
  (void)from;  // Each round adds one to the value.
  for (size_t i = 0; i < k_words; ++i) shmem_long_atomic_add(&data[i], 1, pe);
}

static void raise_by_p(long round, int pe) { shmem_long_p(&flag, round, pe); }
static void raise_by_set(long round, int pe) { shmem_long_atomic_set(&flag, round, pe); }

typedef struct {
  void (*put)(const long* from, int pe);
  void (*order)(void);
  void (*raise)(long round, int pe);
} way;

static void check_seen(long round) {
  shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
  for (size_t i = 0; i < k_words; ++i)
    CHECK(data[i] == round, "word %zu is %ld in round %ld", i, data[i], round);
}

// Sends messages to the next PE. A PE sends each message after the receiver has answered the
// previous message.
static void pass_messages(way by) {
  long from[k_words];
  for (long round = 1; round <= k_rounds; ++round) {
    for (size_t i = 0; i < k_words; ++i) from[i] = round;
    by.put(from, pe_after(1));
    by.order();
    by.raise(round, pe_after(1));
    check_seen(round);
    shmem_long_p(&answer, round, pe_before(1));
    shmem_long_wait_until(&answer, SHMEM_CMP_EQ, round);
    shmem_quiet();
  }
  shmem_barrier_all();
  memset(data, 0, sizeof data);
  flag = answer = 0;
  shmem_barrier_all();
}

// Puts data to a second PE, calls quiet, and then tells a third PE. The third PE must find the data
// on the second PE.
static void check_quiet_is_for_all(void) {
  static long word;
  static long turn;
  for (long round = 1; round <= k_rounds; ++round) {
    const int writer = (int)(round % shmem_n_pes());
    const int home = (writer + 1) % shmem_n_pes();
    const int reader = (writer + 2) % shmem_n_pes();
    if (shmem_my_pe() == writer) {
      shmem_long_put_nbi(&word, &round, 1, home);
      shmem_quiet();
      shmem_long_p(&turn, round, reader);
    }
    if (shmem_my_pe() == reader) {
      shmem_long_wait_until(&turn, SHMEM_CMP_EQ, round);
      CHECK(shmem_long_g(&word, home) == round, "round %ld", round);
    }
    shmem_barrier_all();
  }
}

// After sync_all, every PE must see the values that each PE has stored in its own memory before
// sync_all.
static void check_sync_all_waits_for_all(void) {
  static long mine;
  for (long round = 1; round <= k_rounds; ++round) {
    __atomic_store_n(&mine, round, __ATOMIC_RELEASE);
    shmem_sync_all();
    for (int pe = 0; pe < shmem_n_pes(); ++pe) {
      const long seen = shmem_long_g(&mine, pe);
      CHECK(seen == round, "round %ld: PE %d is in round %ld", round, pe, seen);
    }
    shmem_sync_all();
  }
}

int main(void) {
  shmem_init();
  void (*const puts[])(const long*, int) = {put_blocking, put_later, put_words, add_words};
  void (*const orders[])(void) = {fence_default, fence_ctx, quiet_default, quiet_ctx};
  void (*const raises[])(long, int) = {raise_by_p, raise_by_set};
  for (size_t p = 0; p < COUNT_OF(puts); ++p)
    for (size_t o = 0; o < COUNT_OF(orders); ++o)
      for (size_t r = 0; r < COUNT_OF(raises); ++r)
        pass_messages((way){puts[p], orders[o], raises[r]});
  check_quiet_is_for_all();
  check_sync_all_waits_for_all();
  shmem_finalize();
  return check_status();
}
