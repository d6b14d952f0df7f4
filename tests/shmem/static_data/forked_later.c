/* A process forked after its variables were exposed shares them with its parent. */

#include "cases.h"

#include <sys/wait.h>
#include <unistd.h>

static int of_both = 1;

int forked_later(void) {
  expose();
  const pid_t child = fork();
  if (child == 0) {
    CHECK(of_both == 1);
    of_both = 2;
    _exit(0);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(of_both == 2);
  return 0;
}
