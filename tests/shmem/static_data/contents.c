/* Variables in each kind of section must keep their values and addresses when they are exposed. */

#include "cases.h"

#include <string.h>
#include <unistd.h>

#define LARGE 100000

struct node {
  struct node* next;
  int value;
};

long initialized = 41;
long zero;
static char text[] = "initialized text";
static char large[LARGE] = {1, 2, 3, [LARGE - 1] = 4}; /* in .ldata with -mcmodel=medium */
static char large_zero[LARGE];
static const char large_constant[LARGE] = {5, [LARGE - 1] = 6};
static struct node last = {0, 2};
static struct node first = {&last, 1};
static const char* const names[] = {"one", "two"}; /* read-only after relocation */
static char aligned[4096] __attribute__((aligned(4096)));
static __thread int of_thread = 7;
static int in_constructor;

__attribute__((constructor)) static void construct(void) { in_constructor = 99; }

static int count_calls(void) {
  static int calls;
  static int begin = 10;
  CHECK(is_exposed(&calls) && is_exposed(&begin));
  ++calls;
  return begin++ + calls;
}

static int twice(int value) { return 2 * value; }
static int (*function)(int) = twice;

static void check_values(void) {
  CHECK(initialized == 42);
  CHECK(strcmp(text, "Initialized text") == 0);
  CHECK(large[0] == 1 && large[1] == 2 && large[2] == 3 && large[LARGE - 1] == 4);
  CHECK(large_zero[0] == 0 && large_zero[LARGE / 2] == 8 && large_zero[LARGE - 1] == 9);
  CHECK(large_constant[0] == 5 && large_constant[LARGE - 1] == 6);
  CHECK(first.next == &last && first.next->value == 2);
  CHECK(strcmp(names[0], "one") == 0 && strcmp(names[1], "two") == 0);
  CHECK(aligned[0] == 1 && aligned[4095] == 2);
  CHECK(in_constructor == 99 && function(21) == 42);
}

static void change_all(void) {
  ++initialized;
  text[0] = 'I';
  large_zero[LARGE / 2] = 8;
  large_zero[LARGE - 1] = 9;
  aligned[0] = 1;
  aligned[4095] = 2;
  of_thread = 8;
}

static void check_ranges(const int* on_stack, const void* on_heap) {
  CHECK(is_exposed(&initialized) && is_exposed(&zero) && is_exposed(text) && is_exposed(&first));
  CHECK(is_exposed(large) && is_exposed(large + LARGE - 1));
  CHECK(is_exposed(large_zero) && is_exposed(large_zero + LARGE - 1) && is_exposed(aligned));
  CHECK(!is_exposed("literal") && !is_exposed(&of_thread));
#ifndef ATOLL_TEST_NO_RELRO
  CHECK(!is_exposed(names));
#endif
  CHECK(!is_exposed(on_stack) && !is_exposed(on_heap));
}

static void check_alias(void) {
  char* const alias = others_data(getpid(), exposed_descriptor(), exposed_size());
  long* const other = (long*)(alias + ((char*)&zero - exposed_begin()));
  CHECK(alias != exposed_begin() && *other == 0);
  __atomic_store_n(other, 5, __ATOMIC_SEQ_CST);
  CHECK(__atomic_load_n(&zero, __ATOMIC_SEQ_CST) == 5);
  large[LARGE - 2] = 11;
  CHECK(alias[&large[LARGE - 2] - exposed_begin()] == 11);
}

int contents(void) {
  int on_stack = 3;
  int* const on_heap = malloc(sizeof *on_heap);
  int* const of_this_thread = &of_thread;
  change_all();
  expose();
  check_values();
  CHECK(count_calls() == 11 && count_calls() == 13);
  CHECK(&of_thread == of_this_thread && of_thread == 8 && on_stack == 3);
  check_ranges(&on_stack, on_heap);
  check_alias();
  free(on_heap);
  return 0;
}
