// Tests memory management: the content and alignment of blocks, calls that return null, and random
// allocations, which a model checks. `memory limit BYTES` checks that the memory limit
// SHMEM_SYMMETRIC_SIZE is obeyed. The caller of the program must set SHMEM_SYMMETRIC_SIZE to BYTES.

#include "check.h"

#include <locale.h>

// A block must have the same symmetric address on each PE, so that a value that is put into the
// block arrives in the block.
static void check_symmetric(void* block, size_t bytes) {
  long* const last = (long*)block + bytes / sizeof(long) - 1;
  *last = -1;
  shmem_barrier_all();
  shmem_long_p(last, shmem_my_pe() + 7, pe_after(1));
  shmem_barrier_all();
  CHECK(*last == pe_before(1) + 7, "%ld in a block of %zu bytes", *last, bytes);
  CHECK(shmem_addr_accessible(block, pe_after(1)), "%zu bytes", bytes);
  shmem_barrier_all();
}

static void check_allocation(void) {
  for (size_t bytes = 8; bytes <= 3u << 20; bytes = bytes * 3 + 16) {
    const long hints[] = {0, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE,
                          SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE};
    void* blocks[6] = {shmem_malloc(bytes), shmem_calloc(bytes / 8, 8)};
    for (size_t h = 0; h < COUNT_OF(hints); ++h)
      blocks[2 + h] = shmem_malloc_with_hints(bytes, hints[h]);
    for (size_t i = 0; i < COUNT_OF(blocks); ++i) {
      CHECK(blocks[i] != NULL && (uintptr_t)blocks[i] % 16 == 0, "%zu bytes: %p", bytes, blocks[i]);
      check_symmetric(blocks[i], bytes);
    }
    for (size_t i = 0; i < COUNT_OF(blocks); ++i) shmem_free(blocks[i]);
  }
}

static void check_calloc_is_zero(void) {
  enum { k_bytes = 100000 };
  for (int round = 0; round < 3; ++round) {
    unsigned char* const used = shmem_malloc(k_bytes);
    memset(used, 0xFF, k_bytes);
    shmem_free(used);
    unsigned char* const zeroed = shmem_calloc(k_bytes / 4, 4);
    size_t i = 0;
    while (i < k_bytes && zeroed[i] == 0) ++i;
    CHECK(i == k_bytes, "byte %zu is %d", i, zeroed[i]);
    shmem_free(zeroed);
  }
}

static void check_align(void) {
  for (size_t alignment = sizeof(void*); alignment <= 64u << 20; alignment *= 2) {
    void* const a = shmem_align(alignment, 24);
    const size_t bytes = alignment < 1u << 16 ? 3 * alignment : 100;
    void* const b = shmem_align(alignment, bytes);
    CHECK(a != NULL && (uintptr_t)a % alignment == 0, "%p for %zu", a, alignment);
    CHECK(b != NULL && (uintptr_t)b % alignment == 0, "%p for %zu", b, alignment);
    check_symmetric(b, bytes);
    shmem_free(a);
    shmem_free(b);
  }
}

static void check_realloc(void) {
  size_t bytes = 1;
  unsigned char* block = shmem_realloc(NULL, bytes);
  CHECK(block != NULL, "realloc of null");
  block[0] = byte_of(shmem_my_pe(), 0);
  const size_t sizes[] = {100, 5, 70000, 70001, 64, 1u << 20, 3};
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    const size_t kept = sizes[i] < bytes ? sizes[i] : bytes;
    block = shmem_realloc(block, sizes[i]);
    CHECK(block != NULL, "realloc to %zu", sizes[i]);
    CHECK(first_wrong(block, shmem_my_pe(), kept) == kept, "realloc %zu to %zu", bytes, sizes[i]);
    bytes = sizes[i];
    fill_block(block, shmem_my_pe(), bytes);
  }
  CHECK(shmem_realloc(block, 0) == NULL, "realloc to nothing");
}

static void check_nothing(void) {
  shmem_free(NULL);
  CHECK(shmem_malloc(0) == NULL, "malloc");
  CHECK(shmem_calloc(0, 8) == NULL && shmem_calloc(8, 0) == NULL, "calloc");
  CHECK(shmem_align(64, 0) == NULL, "align");
  CHECK(shmem_malloc_with_hints(0, 0) == NULL, "malloc_with_hints");
  CHECK(shmem_realloc(NULL, 0) == NULL, "realloc");
  CHECK(shmem_calloc(SIZE_MAX / 2, 4) == NULL, "calloc of more bytes than a number holds");
  CHECK(shmem_align(48, 64) == NULL, "align to what is no power of two");
}

// Checks that freed memory is reused. All blocks together are much larger than the heap.
static void check_reused(void) {
  const size_t bytes = (size_t)256 << 20;
  for (int i = 0; i < 2000; ++i) {
    char* const block = shmem_malloc(bytes);
    CHECK(block != NULL, "round %d", i);
    if (block == NULL) return;
    block[(size_t)i * 4096] = 1;
    shmem_free(block);
  }
}

// ---- random allocations

enum { k_most_blocks = 48 };

typedef struct {
  unsigned char* at;
  size_t bytes;
  int id;
} block;

static block blocks[k_most_blocks];

static void check_block(const block* b) {
  const size_t wrong = first_wrong(b->at, b->id, b->bytes);
  CHECK(wrong == b->bytes, "block %d of %zu bytes: byte %zu", b->id, b->bytes, wrong);
}

static void check_apart(const block* b) {
  for (size_t i = 0; i < k_most_blocks; ++i)
    CHECK(&blocks[i] == b || blocks[i].at == NULL || blocks[i].at + blocks[i].bytes <= b->at ||
              b->at + b->bytes <= blocks[i].at,
          "blocks %d and %d overlap", b->id, blocks[i].id);
}

static void allocate_block(block* b, uint64_t* state) {
  const size_t most = random_below(state, 8) == 0 ? 100000 : 300;
  b->bytes = 1 + random_below(state, most);
  switch (random_below(state, 3)) {
  case 0:
    b->at = shmem_malloc(b->bytes);
    break;
  case 1:
    b->at = shmem_calloc(b->bytes, 1);
    break;
  default:
    b->at = shmem_align((size_t)8 << random_below(state, 8), b->bytes);
  }
}

static void change_block(block* b, uint64_t* state, int id) {
  if (b->at == NULL) {
    allocate_block(b, state);
  } else if (random_below(state, 3) == 0) {
    const size_t bytes = 1 + random_below(state, 2 * b->bytes);
    b->at = shmem_realloc(b->at, bytes);
    b->bytes = bytes < b->bytes ? bytes : b->bytes;
    check_block(b);
    b->bytes = bytes;
  } else {
    check_block(b);
    shmem_free(b->at);
    b->at = NULL;
    return;
  }
  CHECK(b->at != NULL, "%zu bytes", b->bytes);
  b->id = id;
  check_apart(b);
  fill_block(b->at, id, b->bytes);
}

// Makes and frees random blocks. All PEs draw the same random numbers, and therefore make and free
// the same blocks.
static void check_random(int steps) {
  uint64_t state = 4711;
  for (int id = 1; id <= steps; ++id)
    change_block(&blocks[random_below(&state, k_most_blocks)], &state, id);
  shmem_barrier_all();
  for (size_t i = 0; i < k_most_blocks; ++i) {
    if (blocks[i].at == NULL) continue;
    block copy = blocks[i];
    copy.at = malloc(copy.bytes);
    shmem_getmem(copy.at, blocks[i].at, copy.bytes, pe_after(1));
    check_block(&copy);
    free(copy.at);
  }
  for (size_t i = 0; i < k_most_blocks; ++i) shmem_free(blocks[i].at);
}

// ---- SHMEM_SYMMETRIC_SIZE

static void check_limit(size_t limit) {
  void* const half = shmem_malloc(limit / 2);
  CHECK(half != NULL, "half of %zu", limit);
  CHECK(shmem_malloc(limit) == NULL, "half and all of %zu", limit);
  void* const quarter = shmem_malloc(limit / 4);
  CHECK(quarter != NULL, "a quarter more of %zu", limit);
  check_symmetric(quarter, limit / 4);
  shmem_free(half);
  shmem_free(quarter);
  void* const most = shmem_malloc(limit - limit / 8);
  CHECK(most != NULL, "nearly all of %zu", limit);
  shmem_free(most);
}

int main(int argc, char** argv) {
  setlocale(LC_ALL, "");  // Programs that print texts for people call setlocale in this way.
  shmem_init();
  if (argc == 3 && strcmp(argv[1], "limit") == 0) {
    check_limit(strtoul(argv[2], NULL, 10));
  } else {
    check_allocation();
    check_calloc_is_zero();
    check_align();
    check_realloc();
    check_nothing();
    check_reused();
    check_random(3000);
  }
  shmem_finalize();
  return check_status();
}
