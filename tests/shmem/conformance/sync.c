// Tests every function for point-to-point synchronization, for every type. A model computes the
// expected results. While a PE waits in a function, another PE stores the values that the function
// waits for.

#include "check.h"
#include "families.h"

// All functions pass values as long long, and convert them to the type of the variables.
#define ADAPTER_RESULT size_t
#define ADAPTER_PARAMETERS                                                                         \
  (volatile void* ivars, size_t nelems, size_t* indices, const int* status, int cmp,               \
   const long long* values)

enum { k_most = 16 };  // number of variables in a set

#define TYPED(TYPE)                                                                                \
  TYPE typed[k_most] = {0};                                                                        \
  for (size_t i = 0; i < nelems; ++i) typed[i] = (TYPE)values[i];                                  \
  (void)indices, (void)status
#define CALL_wait_until(F, TYPE)                                                                   \
  TYPED(TYPE);                                                                                     \
  F(ivars, cmp, typed[0]);                                                                         \
  return 1
#define CALL_test(F, TYPE)                                                                         \
  TYPED(TYPE);                                                                                     \
  return (size_t)F(ivars, cmp, typed[0])
#define CALL_wait_until_all(F, TYPE)                                                               \
  TYPED(TYPE);                                                                                     \
  F(ivars, nelems, status, cmp, typed[0]);                                                         \
  return 1
#define CALL_wait_until_any(F, TYPE)                                                               \
  TYPED(TYPE);                                                                                     \
  return (size_t)F(ivars, nelems, status, cmp, typed[0])
#define CALL_wait_until_some(F, TYPE)                                                              \
  TYPED(TYPE);                                                                                     \
  return F(ivars, nelems, indices, status, cmp, typed[0])
#define CALL_test_all CALL_wait_until_any
#define CALL_test_any CALL_wait_until_any
#define CALL_test_some CALL_wait_until_some
#define CALL_wait_until_all_vector(F, TYPE)                                                        \
  TYPED(TYPE);                                                                                     \
  F(ivars, nelems, status, cmp, typed);                                                            \
  return 1
#define CALL_wait_until_any_vector(F, TYPE)                                                        \
  TYPED(TYPE);                                                                                     \
  return (size_t)F(ivars, nelems, status, cmp, typed)
#define CALL_wait_until_some_vector(F, TYPE)                                                       \
  TYPED(TYPE);                                                                                     \
  return F(ivars, nelems, indices, status, cmp, typed)
#define CALL_test_all_vector CALL_wait_until_any_vector
#define CALL_test_any_vector CALL_wait_until_any_vector
#define CALL_test_some_vector CALL_wait_until_some_vector

enum finds { finds_one, finds_all, finds_any, finds_some };

typedef struct {
  const char* name;
  size_t size;
  bool is_signed;
  enum finds finds;
  bool waits;
  bool is_vector;
  size_t(*call) ADAPTER_PARAMETERS;
} operation;

#define FORM_wait_until finds_one, true, false
#define FORM_test finds_one, false, false
#define FORM_wait_until_all finds_all, true, false
#define FORM_wait_until_any finds_any, true, false
#define FORM_wait_until_some finds_some, true, false
#define FORM_test_all finds_all, false, false
#define FORM_test_any finds_any, false, false
#define FORM_test_some finds_some, false, false
#define FORM_wait_until_all_vector finds_all, true, true
#define FORM_wait_until_any_vector finds_any, true, true
#define FORM_wait_until_some_vector finds_some, true, true
#define FORM_test_all_vector finds_all, false, true
#define FORM_test_any_vector finds_any, false, true
#define FORM_test_some_vector finds_some, false, true
#define IS_SIGNED(TYPE) ((TYPE) - 1 < (TYPE)1)
#define ROW(NAME, TYPE, GENERIC, ADAPTER)                                                          \
  {NAME, sizeof(TYPE), IS_SIGNED(TYPE), FORM_##GENERIC, ADAPTER},

ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_WAIT_UNTIL, ADAPT)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TEST, ADAPT)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_WAIT_UNTIL_SET, ADAPT)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TEST_SET, ADAPT)

static const operation operations[] = {
    // clang-format off
    ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_WAIT_UNTIL, ADAPTED)
    ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TEST, ADAPTED)
    ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_WAIT_UNTIL_SET, ADAPTED)
    ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TEST_SET, ADAPTED)
    // clang-format on
};

enum { k_operations = COUNT_OF(operations) };

static const int comparisons[] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT,
                                  SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE};

static void store(const operation* of, void* variables, size_t i, long long value) {
  if (of->size == 4)
    ((int32_t*)variables)[i] = (int32_t)value;
  else
    ((int64_t*)variables)[i] = value;
}

static bool holds(int comparison, long long left, long long right) {
  switch (comparison) {
  case SHMEM_CMP_EQ:
    return left == right;
  case SHMEM_CMP_NE:
    return left != right;
  case SHMEM_CMP_GT:
    return left > right;
  case SHMEM_CMP_GE:
    return left >= right;
  case SHMEM_CMP_LT:
    return left < right;
  default:
    return left <= right;
  }
}

// ---- Results compared with a model.

// Returns one of three values of the type. A value of a higher rank (0, 1 or 2) is larger.
static long long value_of(const operation* of, int rank) {
  if (of->is_signed) return rank - 1;
  if (rank < 2) return rank;
  return of->size == 4 ? (long long)UINT32_MAX : -1LL;
}

typedef struct {
  int is[k_most];  // for each variable, the rank of its value
  int values[k_most];
  int status[k_most];
  bool has_status;
  size_t nelems;
  int comparison;
} sample;

static sample random_sample(const operation* of, uint64_t* state) {
  sample s = {.comparison = comparisons[random_below(state, COUNT_OF(comparisons))],
              .nelems = of->finds == finds_one ? 1 : random_below(state, 7),
              .has_status = of->finds != finds_one && random_below(state, 2) != 0};
  for (size_t i = 0; i < s.nelems; ++i) {
    s.is[i] = (int)random_below(state, 3);
    s.values[i] = (int)random_below(state, 3);
    s.status[i] = random_below(state, 3) == 0 ? 1 + (int)random_below(state, 2) : 0;
  }
  return s;
}

typedef struct {
  size_t counted;
  size_t held;
  bool holds[k_most];
} outcome;

static outcome outcome_of(const operation* of, const sample* s) {
  outcome o = {0};
  for (size_t i = 0; i < s->nelems; ++i) {
    if (s->has_status && s->status[i] != 0) continue;
    ++o.counted;
    o.holds[i] = holds(s->comparison, s->is[i], s->values[of->is_vector ? i : 0]);
    o.held += o.holds[i];
  }
  return o;
}

static bool may_be_called(const operation* of, const outcome* o) {
  if (!of->waits || o->counted == 0) return true;
  return of->finds == finds_one || of->finds == finds_all ? o->held == o->counted : o->held > 0;
}

static void check_found(const operation* of, const sample* s, const outcome* o, size_t found,
                        const size_t* indices) {
  switch (of->finds) {
  case finds_any:
    CHECK(o->held == 0 ? found == SIZE_MAX : found < s->nelems && o->holds[found],
          "%s of %zu, %zu hold: %zu", of->name, s->nelems, o->held, found);
    return;
  case finds_some:
    CHECK(found == o->held, "%s of %zu: %zu, not %zu", of->name, s->nelems, found, o->held);
    for (size_t i = 0; i < found && i < s->nelems; ++i)
      CHECK(indices[i] < s->nelems && o->holds[indices[i]] &&
                (i == 0 || indices[i - 1] != indices[i]),
            "%s of %zu: index %zu", of->name, s->nelems, indices[i]);
    return;
  default:
    CHECK(found == (o->held == o->counted), "%s of %zu, %zu of %zu hold: %zu", of->name, s->nelems,
          o->held, o->counted, found);
  }
}

static void check_against_model(const operation* of, void* variables, uint64_t* state) {
  const sample s = random_sample(of, state);
  const outcome o = outcome_of(of, &s);
  if (!may_be_called(of, &o)) return;
  long long values[k_most] = {0};
  for (size_t i = 0; i < s.nelems; ++i) {
    store(of, variables, i, value_of(of, s.is[i]));
    values[i] = value_of(of, s.values[i]);
  }
  size_t indices[k_most] = {0};
  const size_t found =
      of->call(variables, s.nelems, indices, s.has_status ? s.status : NULL, s.comparison, values);
  check_found(of, &s, &o, found, indices);
}

// ---- Values that another PE stores.

// Repeats the operation until it has returned each variable once.
static void drain(const operation* of, void* variables, size_t nelems, const long long* values,
                  int comparison) {
  int status[k_most] = {0};
  size_t indices[k_most];
  for (size_t left = nelems; left > 0;) {
    size_t found = of->call(variables, nelems, indices, status, comparison, values);
    if (of->finds == finds_all || of->finds == finds_one) {
      if (found == 1) return;
      continue;
    }
    if (of->finds == finds_any) {
      if (found == SIZE_MAX) continue;
      indices[0] = found;
      found = 1;
    }
    CHECK(!of->waits || found > 0, "%s waits for nothing", of->name);
    for (size_t i = 0; i < found; ++i) status[indices[i]] = 1;
    left -= found < left ? found : left;
  }
}

// Every PE stores into a variable of each other PE. Variables that no PE stores into are excluded
// from the wait.
static void check_stored_by_others(size_t operation_number, char* region, int comparison,
                                   long long stored, long long compared) {
  const operation* const of = &operations[operation_number];
  const int pes = shmem_n_pes();
  const bool is_one = of->finds == finds_one;
  const size_t own = is_one ? 0 : (size_t)shmem_my_pe();
  int64_t value = 0;
  store(of, &value, 0, stored);
  for (int distance = 1; distance <= (is_one ? 1 : pes); ++distance)
    shmem_putmem(region + own * of->size, &value, of->size, pe_after(distance));
  long long values[k_most];
  for (size_t i = 0; i < k_most; ++i) values[i] = compared;
  drain(of, region, is_one ? 1 : (size_t)pes, values, comparison);
}

// Checks waits for variables whose initial value is 5.
static void check_all_stored(char* area, int comparison, long long stored, long long compared) {
  const size_t region = k_most * sizeof(int64_t);
  for (size_t i = 0; i < k_operations; ++i)
    for (size_t v = 0; v < k_most; ++v) store(&operations[i], area + i * region, v, 5);
  shmem_barrier_all();
  for (size_t i = 0; i < k_operations; ++i)
    check_stored_by_others(i, area + i * region, comparison, stored, compared);
  shmem_barrier_all();
}

// The variables of different PEs must be found in turn. The functions must not find one variable
// again and again.
static void check_any_is_fair(void) {
  static int words[4] = {1, 1, 1, 1};
  int seen[4] = {0};
  for (int i = 0; i < 400; ++i)
    ++seen[shmem_int_test_any(words, COUNT_OF(words), NULL, SHMEM_CMP_EQ, 1)];
  for (int i = 0; i < 4; ++i) CHECK(seen[i] > 0, "variable %d is never found", i);
}

int main(void) {
  shmem_init();
  uint64_t state = 17 + (uint64_t)shmem_my_pe();
  static int64_t static_variables[k_most];
  int64_t* const heap_variables = shmem_malloc(sizeof static_variables);
  for (size_t i = 0; i < k_operations; ++i)
    for (int round = 0; round < 200; ++round)
      check_against_model(&operations[i], round % 2 ? heap_variables : static_variables, &state);
  const size_t area_bytes = k_operations * sizeof static_variables;
  char* const area = shmem_malloc(area_bytes);
  check_all_stored(area, SHMEM_CMP_EQ, 7, 7);
  check_all_stored(area, SHMEM_CMP_NE, 0, 5);
  check_all_stored(area, SHMEM_CMP_GT, 6, 5);
  check_all_stored(area, SHMEM_CMP_GE, 6, 6);
  check_all_stored(area, SHMEM_CMP_LT, 4, 5);
  check_all_stored(area, SHMEM_CMP_LE, 3, 4);
  check_any_is_fair();
  shmem_free(area);
  shmem_free(heap_variables);
  shmem_finalize();
  return check_status();
}
