// The checks used by the programs of this folder. A failed check prints the line and the expected
// value, and the program continues. The exit status is 0 if all checks have succeeded.
#ifndef CHECK_H
#define CHECK_H

#include <shmem.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// CHECK(condition, format, ...) reports a failure with the values that the format names.
#define CHECK(condition, ...)                                                                      \
  ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static int check_failures;

__attribute__((format(printf, 4, 5))) static inline void
check_failed(const char* file, int line, const char* expected, const char* format, ...) {
  enum { k_most_said = 20 };
  if (__atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED) > k_most_said) return;
  const char* const name = strrchr(file, '/');
  char what[512];
  va_list values;
  va_start(values, format);
  vsnprintf(what, sizeof what, format, values);
  va_end(values);
  fprintf(stderr, "PE %d: %s:%d: expected %s: %s\n", shmem_my_pe(), name ? name + 1 : file, line,
          expected, what);
}

// Returns the exit status of main.
static inline int check_status(void) { return check_failures == 0 ? 0 : 1; }

// Returns the PE `distance` steps after this PE in a ring of all PEs.
static inline int pe_after(int distance) { return (shmem_my_pe() + distance) % shmem_n_pes(); }
static inline int pe_before(int distance) {
  return (shmem_my_pe() + shmem_n_pes() - distance % shmem_n_pes()) % shmem_n_pes();
}

// Returns the next random number of a sequence, which the initial state determines.
static inline uint64_t next_random(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static inline size_t random_below(uint64_t* state, size_t bound) {
  return (size_t)(next_random(state) % bound);
}

// Returns byte `at` of the block that fill_block makes for a PE.
static inline unsigned char byte_of(int pe, size_t at) {
  const uint64_t mixed = ((uint64_t)pe * 1000003 + at + 1) * 0x9E3779B97F4A7C15u;
  return (unsigned char)(mixed >> 56);
}

static inline void fill_block(void* block, int pe, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)block)[i] = byte_of(pe, i);
}

// Returns the index of the first byte that differs from the content that fill_block makes. If no
// byte differs, returns `bytes`.
static inline size_t first_wrong(const void* block, int pe, size_t bytes) {
  size_t i = 0;
  while (i < bytes && ((const unsigned char*)block)[i] == byte_of(pe, i)) ++i;
  return i;
}

#endif
