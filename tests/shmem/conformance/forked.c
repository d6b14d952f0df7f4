// A process that a PE forks has copies of the global variables and of the symmetric heap. Changes
// after the fork are visible only in the process that makes them, either the PE or the forked
// process. The forked process is not a PE, and may end in any way.

#include "check.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { k_words = 100000, k_untouched = 1 << 29 };

static long global = 1;
static long initialised[k_words] = {7};
static long untouched_variable[k_untouched / sizeof(long)];

// Forks a child process. The child continues when the parent has written a byte. Returns the exit
// status of the child, which is the result of `in_child`.
static int status_of_child(int (*in_child)(long*), void (*meanwhile)(long*), long* heap) {
  int go_on[2];
  if (pipe(go_on) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    char byte;
    if (read(go_on[0], &byte, 1) != 1) _exit(100);
    _exit(in_child(heap));
  }
  if (meanwhile) meanwhile(heap);
  if (write(go_on[1], "", 1) != 1) return -1;
  int status = -1;
  waitpid(child, &status, 0);
  close(go_on[0]);
  close(go_on[1]);
  return status;
}

static int sees_what_was_there(long* heap) {
  int wrong = global != 2 || initialised[0] != 7 || initialised[k_words - 1] != 8;
  wrong |= heap[0] != 3 || heap[k_words - 1] != 4 || untouched_variable[5] != 0;
  global = initialised[1] = heap[0] = heap[1] = untouched_variable[6] = 99;
  return wrong;
}

// Changes memory, including words that the previous PE has put, and pages that no PE has touched
// before.
static void changes(long* heap) {
  const int before = pe_before(1);
  global = 5;
  shmem_long_p(&initialised[2], 6, before);
  shmem_long_p(&heap[2], 6, before);
  untouched_variable[5] = 6;
  shmem_barrier_all();
}

static int calls_shmem(long* heap) {
  (void)heap;
  if (freopen("/dev/null", "w", stderr) == NULL) return 101;
  shmem_barrier_all();
  return 102;
}

static int asks_who_it_is(long* heap) {
  (void)heap;
  return shmem_n_pes() < 1 || shmem_my_pe() >= shmem_n_pes();
}

static int forks_again(long* heap) {
  const pid_t child = fork();
  if (child == 0) _exit(heap[0] == 3 && global == 5 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

static int exits(long* heap) {
  (void)heap;
  exit(3);
}

static size_t blocks_in_memory(void) {
  FILE* const file = fopen("/proc/self/statm", "r");
  size_t all = 0, resident = 0, shared = 0;
  if (file == NULL || fscanf(file, "%zu %zu %zu", &all, &resident, &shared) != 3) return 0;
  fclose(file);
  return resident;
}

// Memory that was never touched must not occupy memory in the child.
static int takes_little(long* heap) {
  (void)heap;
  return blocks_in_memory() * (size_t)sysconf(_SC_PAGESIZE) > k_untouched / 2;
}

static void check(const char* what, int expected, int status) {
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == expected, "%s: %d, not %d", what, status,
        expected);
}

int main(void) {
  shmem_init();
  long* const heap = shmem_malloc(k_words * sizeof *heap);
  char* const much = shmem_malloc(k_untouched);
  CHECK(much != NULL, "no heap");
  global = 2;
  initialised[k_words - 1] = 8;
  memset(heap, 0, k_words * sizeof *heap);
  heap[0] = 3;
  heap[k_words - 1] = 4;
  shmem_barrier_all();
  check("sees what was there", 0, status_of_child(sees_what_was_there, changes, heap));
  CHECK(global == 5 && initialised[1] == 0 && untouched_variable[6] == 0, "%ld %ld %ld", global,
        initialised[1], untouched_variable[6]);
  CHECK(heap[0] == 3 && heap[1] == 0, "%ld %ld", heap[0], heap[1]);
  CHECK(heap[2] == 6 && initialised[2] == 6, "%ld %ld", heap[2], initialised[2]);
  check("takes little", 0, status_of_child(takes_little, NULL, heap));
  check("calls shmem", 2, status_of_child(calls_shmem, NULL, heap));
  check("asks who it is", 0, status_of_child(asks_who_it_is, NULL, heap));
  check("forks again", 0, status_of_child(forks_again, NULL, heap));
  check("exits", 3, status_of_child(exits, NULL, heap));
  shmem_barrier_all();
  shmem_finalize();
  return check_status();
}
