// A table of atomic operations, and checks of its rows. The checks test single operations, and many
// operations by all PEs at once.
#ifndef AMO_FAMILIES_H
#define AMO_FAMILIES_H

#include "check.h"
#include "families.h"

typedef enum {
  amo_fetch,
  amo_set,
  amo_swap,
  amo_compare_swap,
  amo_add,
  amo_inc,
  amo_and,
  amo_or,
  amo_xor
} amo_kind;

// All functions pass values as long long, and convert them to the type of the word.
typedef struct {
  const char* name;
  size_t size;
  amo_kind kind;
  bool fetches;
  // Performs the operation. Returns the fetched value, or 0 if the operation fetches no value.
  long long (*call)(void* dest, long long value, long long cond, int pe);
  long long (*narrow)(long long value);  // converts a value to the type of the word and back
  void (*store)(void* word, long long value);
  long long (*load)(const void* word);
} amo;

#define ADAPTER_RESULT long long
#define ADAPTER_PARAMETERS (void* dest, long long value, long long cond, int pe)

#define AMO_RETURN(TYPE, CALL)                                                                     \
  (void)value, (void)cond;                                                                         \
  return (long long)CALL
#define AMO_NO_RETURN(CALL)                                                                        \
  (void)value, (void)cond, CALL;                                                                   \
  return 0
#define AMO_NBI(TYPE, CALL)                                                                        \
  TYPE fetched = (TYPE)99;                                                                         \
  (void)value, (void)cond, CALL, shmem_quiet();                                                    \
  return (long long)fetched

#define CALL_atomic_fetch(F, TYPE) AMO_RETURN(TYPE, F(dest, pe))
#define CALL_atomic_fetch_nbi(F, TYPE) AMO_NBI(TYPE, F(&fetched, dest, pe))
#define CALL_atomic_set(F, TYPE) AMO_NO_RETURN(F(dest, (TYPE)value, pe))
#define CALL_atomic_swap(F, TYPE) AMO_RETURN(TYPE, F(dest, (TYPE)value, pe))
#define CALL_atomic_swap_nbi(F, TYPE) AMO_NBI(TYPE, F(&fetched, dest, (TYPE)value, pe))
#define CALL_atomic_compare_swap(F, TYPE) AMO_RETURN(TYPE, F(dest, (TYPE)cond, (TYPE)value, pe))
#define CALL_atomic_compare_swap_nbi(F, TYPE)                                                      \
  AMO_NBI(TYPE, F(&fetched, dest, (TYPE)cond, (TYPE)value, pe))
#define CALL_atomic_inc(F, TYPE) AMO_NO_RETURN(F(dest, pe))
#define CALL_atomic_fetch_inc CALL_atomic_fetch
#define CALL_atomic_fetch_inc_nbi CALL_atomic_fetch_nbi
#define CALL_atomic_add CALL_atomic_set
#define CALL_atomic_fetch_add CALL_atomic_swap
#define CALL_atomic_fetch_add_nbi CALL_atomic_swap_nbi
#define CALL_atomic_and CALL_atomic_set
#define CALL_atomic_fetch_and CALL_atomic_swap
#define CALL_atomic_fetch_and_nbi CALL_atomic_swap_nbi
#define CALL_atomic_or CALL_atomic_set
#define CALL_atomic_fetch_or CALL_atomic_swap
#define CALL_atomic_fetch_or_nbi CALL_atomic_swap_nbi
#define CALL_atomic_xor CALL_atomic_set
#define CALL_atomic_fetch_xor CALL_atomic_swap
#define CALL_atomic_fetch_xor_nbi CALL_atomic_swap_nbi

#define KIND_atomic_fetch amo_fetch, true
#define KIND_atomic_fetch_nbi amo_fetch, true
#define KIND_atomic_set amo_set, false
#define KIND_atomic_swap amo_swap, true
#define KIND_atomic_swap_nbi amo_swap, true
#define KIND_atomic_compare_swap amo_compare_swap, true
#define KIND_atomic_compare_swap_nbi amo_compare_swap, true
#define KIND_atomic_inc amo_inc, false
#define KIND_atomic_fetch_inc amo_inc, true
#define KIND_atomic_fetch_inc_nbi amo_inc, true
#define KIND_atomic_add amo_add, false
#define KIND_atomic_fetch_add amo_add, true
#define KIND_atomic_fetch_add_nbi amo_add, true
#define KIND_atomic_and amo_and, false
#define KIND_atomic_fetch_and amo_and, true
#define KIND_atomic_fetch_and_nbi amo_and, true
#define KIND_atomic_or amo_or, false
#define KIND_atomic_fetch_or amo_or, true
#define KIND_atomic_fetch_or_nbi amo_or, true
#define KIND_atomic_xor amo_xor, false
#define KIND_atomic_fetch_xor amo_xor, true
#define KIND_atomic_fetch_xor_nbi amo_xor, true

// Defines the functions that convert, store and load a word of one type.
#define AMO_TYPE(TYPE, NAME, UNUSED)                                                               \
  static long long narrow_##NAME(long long value) { return (long long)(TYPE)value; }               \
  static void store_##NAME(void* word, long long value) { *(TYPE*)word = (TYPE)value; }            \
  static long long load_##NAME(const void* word) { return (long long)*(const TYPE*)word; }
ATOLL_SHMEM_AMO_EXTENDED_DISTINCT(AMO_TYPE, )

#define AMO_WORD_OF(NAME) narrow_##NAME, store_##NAME, load_##NAME
#define AMO_WORD(TYPE)                                                                             \
  _Generic((TYPE*)0,                                                                               \
      int*: narrow_int,                                                                            \
      long*: narrow_long,                                                                          \
      long long*: narrow_longlong,                                                                 \
      unsigned*: narrow_uint,                                                                      \
      unsigned long*: narrow_ulong,                                                                \
      unsigned long long*: narrow_ulonglong,                                                       \
      float*: narrow_float,                                                                        \
      double*: narrow_double),                                                                     \
      _Generic((TYPE*)0,                                                                           \
      int*: store_int,                                                                             \
      long*: store_long,                                                                           \
      long long*: store_longlong,                                                                  \
      unsigned*: store_uint,                                                                       \
      unsigned long*: store_ulong,                                                                 \
      unsigned long long*: store_ulonglong,                                                        \
      float*: store_float,                                                                         \
      double*: store_double),                                                                      \
      _Generic((TYPE*)0,                                                                           \
      int*: load_int,                                                                              \
      long*: load_long,                                                                            \
      long long*: load_longlong,                                                                   \
      unsigned*: load_uint,                                                                        \
      unsigned long*: load_ulong,                                                                  \
      unsigned long long*: load_ulonglong,                                                         \
      float*: load_float,                                                                          \
      double*: load_double)
#define ROW(NAME, TYPE, GENERIC, ADAPTER)                                                          \
  {NAME, sizeof(TYPE), KIND_##GENERIC, ADAPTER, AMO_WORD(TYPE)},

// ---- one operation alone

static inline long long amo_result(const amo* of, long long before, long long value,
                                   long long cond) {
  switch (of->kind) {
  case amo_fetch:
    return before;
  case amo_set:
  case amo_swap:
    return value;
  case amo_compare_swap:
    return before == cond ? value : before;
  case amo_add:
    return of->narrow((long long)((uint64_t)before + (uint64_t)value));
  case amo_inc:
    return of->narrow((long long)((uint64_t)before + 1));
  case amo_and:
    return before & value;
  case amo_or:
    return before | value;
  default:
    return before ^ value;
  }
}

typedef struct {
  long long before;
  long long value;
  long long cond;
} amo_values;

static inline void amo_check_one(const amo* of, char* word, amo_values v, int pe) {
  const long long value = of->narrow(v.value);
  const long long fetched = of->call(word, value, of->narrow(v.cond), pe);
  const long long expected = of->fetches ? of->narrow(v.before) : 0;
  CHECK(fetched == expected, "%s on PE %d fetches %lld, not %lld", of->name, pe, fetched, expected);
}

static inline void amo_check_word(const amo* of, const char* word, amo_values v, int from) {
  const long long expected =
      amo_result(of, of->narrow(v.before), of->narrow(v.value), of->narrow(v.cond));
  const long long is = of->load(word);
  CHECK(is == expected, "%s by PE %d, of %lld with %lld: the word is %lld, not %lld", of->name,
        from, v.before, v.value, is, expected);
  for (size_t b = of->size; b < 8; ++b)
    CHECK(word[b] == 0x55, "%s by PE %d: byte %zu behind the word", of->name, from, b);
}

// Checks each operation alone, on the PE that is `distance` PEs after this PE. Each operation has a
// word of 8 bytes at `words`.
static inline void amo_check_alone(const amo* all, size_t count, char* words, amo_values v,
                                   int distance) {
  memset(words, 0x55, 8 * count);
  for (size_t i = 0; i < count; ++i) all[i].store(words + 8 * i, v.before);
  shmem_barrier_all();
  for (size_t i = 0; i < count; ++i) amo_check_one(&all[i], words + 8 * i, v, pe_after(distance));
  shmem_barrier_all();
  for (size_t i = 0; i < count; ++i) amo_check_word(&all[i], words + 8 * i, v, pe_before(distance));
  shmem_barrier_all();
}

// ---- many operations from all PEs

enum { k_amo_rounds = 8 };

// Executes this PE's operation of round `round`. Returns the sum of the fetched values.
static inline long long amo_turn(const amo* of, char* word, int round, int home) {
  const int me = shmem_my_pe();
  const long long bit = 1LL << (me % 30);
  switch (of->kind) {
  case amo_set:
  case amo_swap:
    return of->call(word, 1 + me * k_amo_rounds + round, 0, home);
  case amo_add:
    return of->call(word, 3, 0, home);
  case amo_and:
    return of->call(word, of->narrow(~bit), 0, home);
  case amo_or:
  case amo_xor:
    return of->call(word, bit, 0, home);
  case amo_compare_swap:
    break;
  default:
    return of->call(word, 0, 0, home);
  }
  long long seen = 0;
  for (;;) {
    const long long before = of->call(word, seen + 1, seen, home);
    if (before == seen) return seen;
    seen = before;
  }
}

static inline long long amo_start(const amo* of) { return of->kind == amo_and ? 0x3FFFFFFF : 0; }

// Returns 0 + step + 2 step + ... with `terms` terms.
static inline long long amo_sum_of(long long terms, long long step) {
  return step * (terms * (terms - 1) / 2);
}

static inline void amo_check_sum(const amo* of, long long is, long long sum_of_fetched) {
  const long long turns = (long long)shmem_n_pes() * k_amo_rounds;
  const long long bits = (1LL << shmem_n_pes()) - 1;
  const long long step = of->kind == amo_add ? 3 : 1;
  long long expected = turns * step;
  switch (of->kind) {
  case amo_fetch:
    expected = 0;
    break;
  case amo_set:
    CHECK(is >= 1 && is <= turns, "%s: %lld at last", of->name, is);
    return;
  case amo_swap:
    CHECK(is + sum_of_fetched == amo_sum_of(turns + 1, 1), "%s: %lld at last, and %lld fetched",
          of->name, is, sum_of_fetched);
    return;
  case amo_and:
    expected = 0x3FFFFFFF & ~bits;
    break;
  case amo_or:
    expected = bits;
    break;
  case amo_xor:
    expected = k_amo_rounds % 2 ? bits : 0;
    break;
  default:
    if (of->fetches)
      CHECK(sum_of_fetched == amo_sum_of(turns, step), "%s: %lld fetched in all", of->name,
            sum_of_fetched);
  }
  CHECK(is == expected, "%s from all PEs: %lld, not %lld", of->name, is, expected);
}

// Lets all PEs execute each operation i on one word. The word is on PE i modulo the number of PEs.
// `sums` has a word for each PE.
static inline void amo_check_together(const amo* all, size_t count, char* words, long long* sums) {
  const int pes = shmem_n_pes();
  for (size_t i = 0; i < count; ++i) all[i].store(words + 8 * i, amo_start(&all[i]));
  shmem_barrier_all();
  for (size_t i = 0; i < count; ++i) {
    const int home = (int)(i % (size_t)pes);
    long long fetched = 0;
    for (int round = 0; round < k_amo_rounds; ++round)
      fetched += amo_turn(&all[i], words + 8 * i, round, home);
    shmem_putmem(&sums[i * (size_t)pes + (size_t)shmem_my_pe()], &fetched, sizeof fetched, home);
  }
  shmem_barrier_all();
  for (size_t i = (size_t)shmem_my_pe(); i < count; i += (size_t)pes) {
    long long sum = 0;
    for (int pe = 0; pe < pes; ++pe) sum += sums[i * (size_t)pes + (size_t)pe];
    amo_check_sum(&all[i], all[i].load(words + 8 * i), sum);
  }
  shmem_barrier_all();
}

// Runs all checks of this file, with words in static memory and on the heap.
static inline void amo_check_all(const amo* all, size_t count, char* static_words) {
  static const amo_values values[] = {
      {5, 3, 5}, {5, 3, 4}, {0, 0x0102030405060708, 0}, {-1, 1, -1}, {0x70F0F0F0, 0x7F00FF00, 1}};
  char* const heap_words = shmem_malloc(8 * count);
  long long* const sums = shmem_malloc(sizeof(long long) * count * (size_t)shmem_n_pes());
  for (size_t v = 0; v < COUNT_OF(values); ++v) {
    amo_check_alone(all, count, heap_words, values[v], (int)v + 1);
    amo_check_alone(all, count, static_words, values[v], (int)v);
  }
  amo_check_together(all, count, heap_words, sums);
  amo_check_together(all, count, static_words, sums);
  shmem_free(sums);
  shmem_free(heap_words);
}

#endif
