// Static and global variables of all kinds and sizes are symmetric. Static and global variables
// keep the values that they had before shmem_init. The call of shmem_init must not change other
// data in the pages of symmetric variables, such as the environment.

#define _POSIX_C_SOURCE 200809L  // setenv, fmemopen

#include "check.h"

#include <errno.h>

typedef struct {
  char letter;
  double number;
  long list[3];
} record;

enum { k_large = 1 << 20 };

int initialised = 4711;
int uninitialised;
long large[k_large];
long large_initialised[1000] = {[0] = 1, [999] = 999};
char text[] = "text that was there";
const char* pointer = text;
record structure = {'a', 2.5, {1, 2, 3}};
static char odd_bytes[3] = {1, 2, 3};
static _Alignas(4096) long aligned_word;
static _Thread_local long thread_word = 5;
extern char** environ;

static int* counter_of_function(void) {
  static int counter = 10;
  return &counter;
}

static void change_before_init(void) {
  setenv("CONFORMANCE_SETTING", "set before", 1);
  uninitialised = 99;
  large[k_large - 1] = 77;
  ++*counter_of_function();
  errno = ERANGE;
  thread_word = 6;
}

static void check_kept(void) {
  CHECK(initialised == 4711 && uninitialised == 99, "%d, %d", initialised, uninitialised);
  CHECK(large[k_large - 1] == 77 && large[5] == 0, "%ld", large[k_large - 1]);
  CHECK(large_initialised[0] == 1 && large_initialised[999] == 999, "the array");
  CHECK(strcmp(pointer, "text that was there") == 0 && pointer == text, "%s", pointer);
  CHECK(structure.number == 2.5 && structure.list[2] == 3, "%f", structure.number);
  CHECK(*counter_of_function() == 11, "%d", *counter_of_function());
  CHECK(thread_word == 6, "%ld", thread_word);
  const char* const set = getenv("CONFORMANCE_SETTING");
  CHECK(set != NULL && strcmp(set, "set before") == 0, "the environment");
  CHECK(environ != NULL && environ[0] != NULL, "environ");
  setenv("CONFORMANCE_SETTING", "set behind", 1);
  CHECK(strcmp(getenv("CONFORMANCE_SETTING"), "set behind") == 0, "the environment");
}

// Puts data of any length. The data differs from PE to PE.
static void check_object(const char* name, void* object, size_t bytes) {
  unsigned char* const block = malloc(bytes);
  fill_block(block, shmem_my_pe(), bytes);
  shmem_barrier_all();
  CHECK(shmem_addr_accessible(object, pe_after(1)) == 1, "%s", name);
  shmem_putmem(object, block, bytes, pe_after(1));
  shmem_barrier_all();
  CHECK(first_wrong(object, pe_before(1), bytes) == bytes, "%s has what was put", name);
  shmem_getmem(block, object, bytes, pe_after(2));
  CHECK(first_wrong(block, pe_after(1), bytes) == bytes, "%s: what get gives", name);
  shmem_barrier_all();
  fill_block(object, shmem_my_pe() + 5, bytes);  // A PE must also see its own stores.
  shmem_barrier_all();
  shmem_getmem(block, object, bytes, pe_after(1));
  CHECK(first_wrong(block, pe_after(1) + 5, bytes) == bytes, "%s: what its PE has stored", name);
  free(block);
  shmem_barrier_all();
}

static void check_objects(void) {
  check_object("initialised", &initialised, sizeof initialised);
  check_object("uninitialised", &uninitialised, sizeof uninitialised);
  check_object("large", large, sizeof large);
  check_object("large_initialised", large_initialised, sizeof large_initialised);
  check_object("text", text, sizeof text);
  check_object("structure", &structure, sizeof structure);
  check_object("odd_bytes", odd_bytes, sizeof odd_bytes);
  check_object("aligned_word", &aligned_word, sizeof aligned_word);
  check_object("static of a function", counter_of_function(), sizeof(int));
}

static void check_atomics(void) {
  static long counter;
  for (int i = 0; i < 100; ++i)
    for (int pe = 0; pe < shmem_n_pes(); ++pe) shmem_long_atomic_inc(&counter, pe);
  shmem_barrier_all();
  CHECK(counter == 100L * shmem_n_pes(), "%ld", counter);
}

static void check_others(void) {
  CHECK(shmem_addr_accessible(&thread_word, shmem_my_pe()) == 0, "thread-local");
  FILE* const file = tmpfile();
  CHECK(file != NULL && fprintf(file, "%d", 12) == 2, "stdio");
  rewind(file);
  int number = 0;
  CHECK(fscanf(file, "%d", &number) == 1 && number == 12, "%d", number);
  fclose(file);
  static char buffer[4096];  // the C library writes to this buffer
  FILE* const memory = fmemopen(buffer, sizeof buffer, "w");
  fprintf(memory, "of PE %d", shmem_my_pe());
  fclose(memory);
  char copy[32];
  shmem_barrier_all();
  shmem_getmem(copy, buffer, sizeof copy, pe_after(1));
  char expected[32];
  snprintf(expected, sizeof expected, "of PE %d", pe_after(1));
  CHECK(strcmp(copy, expected) == 0, "%s", copy);
  shmem_barrier_all();
}

int main(void) {
  printf("before, once from each PE\n");  // If the output is a pipe, stdio buffers this text.
  change_before_init();
  shmem_init();
  check_kept();
  check_objects();
  check_atomics();
  check_others();
  printf("behind, once from each PE\n");
  shmem_finalize();
  return check_status();
}
