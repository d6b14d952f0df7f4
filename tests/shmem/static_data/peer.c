/* Two processes access the exposed variables of one of them at the same time. */

#include "cases.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ADDS 1000000

extern char** environ;

static long sum = 7;
static int is_there; /* set when the peer is about to add */
static char greeting[100];

struct exposed {
  long process;
  int descriptor;
  size_t size;
  size_t offset; /* offset of `sum` in the exposed memory */
};

static void add_many(long* where) {
  for (long i = 0; i < ADDS; ++i) __atomic_fetch_add(where, 1, __ATOMIC_RELAXED);
}

static void* other_of(char* begin, const void* own) {
  return begin + ((const char*)own - exposed_begin());
}

static int peer_is_there(void) { return __atomic_load_n(&is_there, __ATOMIC_ACQUIRE); }

/* Waits until the peer has set `is_there`. The peer may then already have ended. */
static void wait_for(pid_t peer) {
  while (!peer_is_there()) {
    siginfo_t end = {0};
    CHECK(waitid(P_PID, (id_t)peer, &end, WEXITED | WNOHANG | WNOWAIT) == 0);
    CHECK(end.si_pid == 0 || peer_is_there());
  }
}

static void add_beside(pid_t peer) {
  wait_for(peer);
  add_many(&sum);
  int status = 0;
  CHECK(waitpid(peer, &status, 0) == peer && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(sum == 7 + 2L * ADDS);
}

/* The peer was forked before static data was exposed, so its own variables are copies. */
static int forked_peer(int from) {
  struct exposed other;
  CHECK(read(from, &other, sizeof other) == (ssize_t)sizeof other);
  char* const begin = others_data(other.process, other.descriptor, other.size);
  char* const far_sum = begin + other.offset;
  const ptrdiff_t to_flag = (char*)&is_there - (char*)&sum;
  __atomic_store_n((int*)(far_sum + to_flag), 1, __ATOMIC_RELEASE);
  add_many((long*)far_sum);
  CHECK(sum == 7 && is_there == 0);
  return 0;
}

int peer_of_fork(void) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const pid_t peer = fork();
  if (peer == 0) _exit(forked_peer(ends[0]));
  expose();
  const struct exposed own = {getpid(), exposed_descriptor(), exposed_size(),
                              (size_t)((char*)&sum - exposed_begin())};
  CHECK(write(ends[1], &own, sizeof own) == (ssize_t)sizeof own);
  add_beside(peer);
  return 0;
}

/* The peer is a new process of the same executable, like another PE. It exposes its own variables,
 * which may have other addresses. */
int exec_ed_peer(long process, int descriptor, int arrived) {
  expose();
  char* const begin = others_data(process, descriptor, exposed_size());
  strcpy(other_of(begin, greeting), "from the peer");
  __atomic_store_n((int*)other_of(begin, &is_there), 1, __ATOMIC_RELEASE);
  add_many(other_of(begin, &sum));
  CHECK(sum == 7 && is_there == 0 && greeting[0] == '\0');
  CHECK(write(arrived, "", 1) == 1);
  return 0;
}

int peer_of_exec(void) {
  int ends[2];
  char process[20], descriptor[20], arrived[20];
  expose();
  CHECK(pipe(ends) == 0);
  snprintf(process, sizeof process, "%ld", (long)getpid());
  snprintf(descriptor, sizeof descriptor, "%d", exposed_descriptor());
  snprintf(arrived, sizeof arrived, "%d", ends[1]);
  char* arguments[] = {"peer", "exec_ed_peer", process, descriptor, arrived, NULL};
  pid_t peer = 0;
  CHECK(posix_spawn(&peer, "/proc/self/exe", NULL, NULL, arguments, environ) == 0);
  add_beside(peer);
  char byte = 1;
  CHECK(read(ends[0], &byte, 1) == 1 && strcmp(greeting, "from the peer") == 0);
  return 0;
}
