/* If a signal handler writes to static data while the data is being exposed, no write may be
 * lost. */

#include "cases.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long handled;
static volatile long* handled_too; /* memory that is not exposed */

static void count(int signal) {
  (void)signal;
  ++handled;
  ++*handled_too;
}

static void wait_for(long times) {
  while (handled < times) continue;
}

int interrupted(void) {
  handled_too =
      mmap(NULL, sizeof *handled_too, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(handled_too != MAP_FAILED);
  signal(SIGUSR1, count);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0)
    while (kill(parent, SIGUSR1) == 0 && getppid() == parent) continue;
  wait_for(100);
  expose();
  wait_for(handled + 100);
  kill(child, SIGKILL);
  CHECK(waitpid(child, NULL, 0) == child);
  CHECK(handled == *handled_too);
  sigset_t blocked;
  CHECK(sigprocmask(SIG_BLOCK, NULL, &blocked) == 0 && !sigismember(&blocked, SIGUSR1));
  CHECK(!sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGINT));
  return 0;
}
