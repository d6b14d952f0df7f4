// Tests puts with a signal. A PE that has seen the signal must find the data. The program tests all
// functions, on the heap and in static memory, with several lengths.

#include "check.h"
#include "families.h"

#define ADAPTER_RESULT void
#define ADAPTER_PARAMETERS                                                                         \
  (void* dest, const void* source, size_t nelems, uint64_t* at, uint64_t signal, int how, int pe)
#define CALL_put_signal(F, TYPE) F(dest, source, nelems, at, signal, how, pe)
#define CALL_put_signal_nbi CALL_put_signal

typedef struct {
  const char* name;
  size_t size;
  void(*call) ADAPTER_PARAMETERS;
} operation;

#define ROW(NAME, TYPE, GENERIC, ADAPTER) {NAME, sizeof(TYPE), ADAPTER},

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_SIGNAL, ADAPT_BOTH)
ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_SIGNAL_SIZED, ADAPT_BOTH)
ATOLL_SHMEM_SIGNAL_MEM(ADAPT_BOTH)

static const operation operations[] = {
    // clang-format off
    ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_SIGNAL, ADAPTED_BOTH)
    ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_SIGNAL_SIZED, ADAPTED_BOTH)
    ATOLL_SHMEM_SIGNAL_MEM(ADAPTED_BOTH)
    // clang-format on
};

enum { k_region = 1152, k_operations = COUNT_OF(operations), k_area = k_region * k_operations };

typedef struct {
  unsigned char* target;
  uint64_t* signals;
} place;

static _Alignas(16) unsigned char static_target[k_area];
static uint64_t static_signals[k_operations];
static unsigned char source[k_area];

static void check_data(size_t i, place at, size_t nelems, int from) {
  const size_t bytes = nelems * operations[i].size;
  const unsigned char* const region = at.target + i * k_region;
  size_t b = 0;
  while (b < bytes && region[b] == byte_of(from, i * k_region + b)) ++b;
  CHECK(b == bytes, "%s of %zu elements: byte %zu of PE %d is %d", operations[i].name, nelems, b,
        from, region[b]);
  CHECK(region[bytes] == 0, "%s of %zu elements: the byte behind them", operations[i].name, nelems);
}

// Each PE puts to one PE and waits for a signal from another PE. The signal is sent in `parts`
// steps, and the data is sent with the last step.
static void check_each(place at, size_t nelems, int how, int parts, int distance) {
  memset(at.target, 0, k_area);
  memset(at.signals, 0, k_operations * sizeof *at.signals);
  shmem_barrier_all();
  for (size_t i = 0; i < k_operations; ++i)
    for (int part = 1; part <= parts; ++part)
      operations[i].call(at.target + i * k_region, source + i * k_region,
                         part == parts ? nelems : 0, &at.signals[i], (uint64_t)1 << 40 | i, how,
                         pe_after(distance));
  const uint64_t times = how == SHMEM_SIGNAL_ADD ? (uint64_t)parts : 1;
  for (size_t i = 0; i < k_operations; ++i) {
    const uint64_t expected = times * ((uint64_t)1 << 40 | i);
    const uint64_t seen = shmem_signal_wait_until(&at.signals[i], SHMEM_CMP_EQ, expected);
    const uint64_t fetched = shmem_signal_fetch(&at.signals[i]);
    CHECK(seen == expected && fetched == expected, "%s: signal %llu, then %llu", operations[i].name,
          (unsigned long long)seen, (unsigned long long)fetched);
    check_data(i, at, nelems, pe_before(distance));
  }
  shmem_barrier_all();
}

static void check_comparisons(void) {
  static uint64_t word = 5;
  const struct {
    int comparison;
    uint64_t value;
  } that_hold[] = {{SHMEM_CMP_EQ, 5}, {SHMEM_CMP_NE, 6}, {SHMEM_CMP_GT, 4},
                   {SHMEM_CMP_GE, 5}, {SHMEM_CMP_LT, 6}, {SHMEM_CMP_LE, 5}};
  for (size_t i = 0; i < COUNT_OF(that_hold); ++i) {
    const uint64_t seen =
        shmem_signal_wait_until(&word, that_hold[i].comparison, that_hold[i].value);
    CHECK(seen == 5, "comparison %d sees %llu", that_hold[i].comparison, (unsigned long long)seen);
  }
}

// All PEs add to one signal, by puts and at the same time by atomic operations.
static void check_sum(void) {
  enum { k_rounds = 50 };
  static uint64_t signal;
  static long slots[64];
  const long own = shmem_my_pe() + 100;
  for (int i = 0; i < k_rounds; ++i) {
    shmem_long_put_signal(&slots[shmem_my_pe()], &own, 1, &signal, 1, SHMEM_SIGNAL_ADD, 0);
    shmem_uint64_atomic_add(&signal, 1000000, 0);
  }
  if (shmem_my_pe() == 0) {
    const uint64_t all = (uint64_t)shmem_n_pes() * k_rounds * 1000001;
    shmem_signal_wait_until(&signal, SHMEM_CMP_GE, all);
    CHECK(signal == all, "%llu, not %llu", (unsigned long long)signal, (unsigned long long)all);
    for (int pe = 0; pe < shmem_n_pes(); ++pe) CHECK(slots[pe] == pe + 100, "slot %d", pe);
  }
  shmem_barrier_all();
}

static void check_long_block(size_t bytes, int distance) {
  unsigned char* const target = shmem_calloc(1, bytes);
  unsigned char* const data = malloc(bytes);
  static uint64_t signal;
  for (uint64_t round = 1; round <= 4; ++round) {
    fill_block(data, shmem_my_pe() + (int)round, bytes);
    if (round % 2)
      shmem_putmem_signal(target, data, bytes, &signal, round, SHMEM_SIGNAL_SET,
                          pe_after(distance));
    else
      shmem_putmem_signal_nbi(target, data, bytes, &signal, round, SHMEM_SIGNAL_SET,
                              pe_after(distance));
    if (round % 2) memset(data, 0, bytes);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, round);
    CHECK(first_wrong(target, pe_before(distance) + (int)round, bytes) == bytes,
          "%zu bytes in round %d", bytes, (int)round);
    shmem_barrier_all();
  }
  signal = 0;
  free(data);
  shmem_free(target);
}

int main(void) {
  shmem_init();
  fill_block(source, shmem_my_pe(), sizeof source);
  const place heap = {shmem_malloc(k_area), shmem_malloc(k_operations * sizeof(uint64_t))};
  const place fixed = {static_target, static_signals};
  const size_t lengths[] = {0, 1, 7, 71};
  for (size_t i = 0; i < COUNT_OF(lengths); ++i) {
    check_each(i % 2 ? fixed : heap, lengths[i], SHMEM_SIGNAL_SET, 1, (int)i + 1);
    check_each(i % 2 ? heap : fixed, lengths[i], SHMEM_SIGNAL_ADD, 3, (int)i + 1);
  }
  shmem_free(heap.target);
  shmem_free(heap.signals);
  check_comparisons();
  check_sum();
  check_long_block(100000, 1);
  check_long_block(3000001, 2);
  shmem_finalize();
  return check_status();
}
