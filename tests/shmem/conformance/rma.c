// Tests every function for remote memory access, between all kinds of memory, with several lengths
// and strides. Memory between the transferred elements must not change.

#include "check.h"
#include "families.h"

#define ADAPTER_RESULT void
#define ADAPTER_PARAMETERS                                                                         \
  (void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)

#define CALL_put(F, TYPE) (void)dst, (void)sst, F(dest, source, nelems, pe)
#define CALL_get CALL_put
#define CALL_put_nbi CALL_put
#define CALL_get_nbi CALL_put
#define CALL_iput(F, TYPE) F(dest, source, dst, sst, nelems, pe)
#define CALL_iget CALL_iput
#define CALL_p(F, TYPE) (void)dst, (void)sst, (void)nelems, F(dest, *(const TYPE*)source, pe)
#define CALL_g(F, TYPE) (void)dst, (void)sst, (void)nelems, *(TYPE*)dest = F(source, pe)

enum form { form_single, form_block, form_strided };

typedef struct {
  const char* name;
  size_t size;   // bytes of an element
  size_t value;  // bytes of an element that hold its value, without padding
  enum form form;
  bool gets;
  void(*call) ADAPTER_PARAMETERS;
} operation;

#define FORM_put form_block, false
#define FORM_get form_block, true
#define FORM_put_nbi form_block, false
#define FORM_get_nbi form_block, true
#define FORM_iput form_strided, false
#define FORM_iget form_strided, true
#define FORM_p form_single, false
#define FORM_g form_single, true
// A long double has 10 bytes with its value, and padding that need not be transferred.
#define VALUE_BYTES(TYPE) _Generic((TYPE*)0, long double*: 10, default: sizeof(TYPE))
#define ROW(NAME, TYPE, GENERIC, ADAPTER)                                                          \
  {NAME, sizeof(TYPE), VALUE_BYTES(TYPE), FORM_##GENERIC, ADAPTER},

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_RMA, ADAPT_BOTH)
ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_RMA_SIZED, ADAPT_BOTH)
ATOLL_SHMEM_RMA_MEM(ADAPT_BOTH)

static const operation operations[] = {
    // clang-format off
    ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_RMA, ADAPTED_BOTH)
    ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_RMA_SIZED, ADAPTED_BOTH)
    ATOLL_SHMEM_RMA_MEM(ADAPTED_BOTH)
    // clang-format on
};

// Each operation has a region of its own, so that all operations can be in flight together.
enum { k_region = 1280, k_operations = COUNT_OF(operations), k_area = k_region * k_operations };
enum { k_untouched = 0xEE };

typedef struct {
  size_t nelems;
  ptrdiff_t dst;
  ptrdiff_t sst;
} shape;

static const shape shapes[] = {{1, 1, 1}, {0, 1, 1},  {7, 1, 1},  {5, 2, 3},
                               {9, 1, 5}, {3, 20, 1}, {79, 1, 1}, {26, 3, 3}};

typedef struct {
  unsigned char* target;
  unsigned char* source;
} area;

static _Alignas(16) unsigned char static_target[k_area];
static _Alignas(16) unsigned char static_source[k_area];
enum { area_heap, area_static, area_private, k_areas };
static area areas[k_areas];

static shape shape_for(const operation* of, shape wanted) {
  if (of->form == form_strided) return wanted;
  const shape one = {1, 1, 1};
  const shape block = {wanted.nelems, 1, 1};
  return of->form == form_single ? one : block;
}

static void allocate_areas(void) {
  areas[area_heap] = (area){shmem_malloc(k_area), shmem_malloc(k_area)};
  areas[area_static] = (area){static_target, static_source};
  areas[area_private] = (area){malloc(k_area), malloc(k_area)};
  for (int i = 0; i < k_areas; ++i) fill_block(areas[i].source, shmem_my_pe(), k_area);
}

static void free_areas(void) {
  shmem_free(areas[area_heap].target);
  shmem_free(areas[area_heap].source);
  free(areas[area_private].target);
  free(areas[area_private].source);
}

static unsigned char* target_region(size_t i, int remote, int local) {
  return areas[operations[i].gets ? local : remote].target + i * k_region;
}

static void call_operation(size_t i, shape wanted, int remote, int local, int pe) {
  const operation* const of = &operations[i];
  const unsigned char* const source = areas[of->gets ? remote : local].source + i * k_region;
  const shape s = shape_for(of, wanted);
  of->call(target_region(i, remote, local), source, s.dst, s.sst, s.nelems, pe);
}

// Computes the expected content of the target, if the source is on PE `from`. The padding of an
// element is not changed.
static void expect_region(size_t i, shape wanted, int from, const unsigned char* is,
                          unsigned char* expected) {
  const operation* const of = &operations[i];
  const shape s = shape_for(of, wanted);
  memset(expected, k_untouched, k_region);
  for (size_t e = 0; e < s.nelems; ++e) {
    const size_t to = e * (size_t)s.dst * of->size;
    const size_t source = i * k_region + e * (size_t)s.sst * of->size;
    for (size_t b = 0; b < of->size; ++b)
      expected[to + b] = b < of->value ? byte_of(from, source + b) : is[to + b];
  }
}

static void check_region(size_t i, shape s, int remote, int local, int distance) {
  const int from = operations[i].gets ? pe_after(distance) : pe_before(distance);
  const unsigned char* const is = target_region(i, remote, local);
  unsigned char expected[k_region];
  expect_region(i, s, from, is, expected);
  size_t b = 0;
  while (b < k_region && is[b] == expected[b]) ++b;
  CHECK(b == k_region,
        "%s, %zu elements with strides %td and %td, memory %d and %d, of PE %d: byte %zu is %d",
        operations[i].name, s.nelems, s.dst, s.sst, remote, local, from, b, is[b]);
}

static void check_all(shape s, int remote, int local, int distance) {
  for (int i = 0; i < k_areas; ++i) memset(areas[i].target, k_untouched, k_area);
  shmem_barrier_all();
  for (size_t i = 0; i < k_operations; ++i) call_operation(i, s, remote, local, pe_after(distance));
  shmem_quiet();
  shmem_barrier_all();
  for (size_t i = 0; i < k_operations; ++i) check_region(i, s, remote, local, distance);
  shmem_barrier_all();
}

// After a blocking put of any length, the caller may change the source.
static void check_long_blocks(size_t bytes, int distance) {
  unsigned char* const target = shmem_calloc(2, bytes);
  unsigned char* const source = malloc(bytes);
  fill_block(source, shmem_my_pe(), bytes);
  shmem_putmem(target, source, bytes, pe_after(distance));
  memset(source, 0, bytes);
  shmem_barrier_all();
  CHECK(first_wrong(target, pe_before(distance), bytes) == bytes, "putmem of %zu bytes", bytes);
  shmem_getmem(source, target, bytes, pe_after(distance));
  CHECK(first_wrong(source, shmem_my_pe(), bytes) == bytes, "getmem of %zu bytes", bytes);
  shmem_putmem_nbi(target + bytes, source, bytes, pe_after(distance));
  shmem_quiet();
  memset(source, 0, bytes);
  shmem_barrier_all();
  CHECK(first_wrong(target + bytes, pe_before(distance), bytes) == bytes, "putmem_nbi of %zu",
        bytes);
  shmem_getmem_nbi(source, target + bytes, bytes, pe_after(distance));
  shmem_quiet();
  CHECK(first_wrong(source, shmem_my_pe(), bytes) == bytes, "getmem_nbi of %zu bytes", bytes);
  shmem_barrier_all();
  shmem_free(target);
  free(source);
}

// If there are no elements, any address is allowed.
static void check_nothing(void) {
  shmem_putmem(NULL, NULL, 0, pe_after(1));
  shmem_getmem(NULL, NULL, 0, pe_after(1));
  shmem_long_put_nbi(NULL, NULL, 0, pe_after(1));
  shmem_long_get_nbi(NULL, NULL, 0, pe_after(1));
  shmem_long_iput(NULL, NULL, 1, 1, 0, pe_after(1));
  shmem_long_iget(NULL, NULL, 1, 1, 0, pe_after(1));
  shmem_quiet();
}

int main(void) {
  shmem_init();
  check_nothing();
  allocate_areas();
  int distance = 1;
  for (int remote = area_heap; remote <= area_static; ++remote)
    for (int local = area_heap; local < k_areas; ++local)
      for (size_t s = 0; s < COUNT_OF(shapes); ++s) check_all(shapes[s], remote, local, distance++);
  free_areas();
  const size_t lengths[] = {1, 4095, 65536, 1000003, 5u << 20};
  for (size_t i = 0; i < COUNT_OF(lengths); ++i) check_long_blocks(lengths[i], distance++);
  shmem_finalize();
  return check_status();
}
