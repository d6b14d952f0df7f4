/* A process that is forked after static data was exposed must get a copy of the data. */

#include "cases.h"

#include <sys/wait.h>
#include <unistd.h>

enum { k_words = 1 << 20 };

static int initialised[k_words] = {1};
static int zero[k_words];
static int go_on[2];

static int seen_by_child(void) {
  char byte;
  if (read(go_on[0], &byte, 1) != 1) return 2;
  const int is_as_it_was = initialised[0] == 1 && initialised[k_words - 1] == 2 && zero[7] == 3 &&
                           zero[k_words / 2] == 0 && zero[k_words - 1] == 0;
  initialised[0] = zero[7] = zero[k_words - 1] = 9;
  return is_as_it_was && zero[7] == 9 ? 0 : 1;
}

int forked_later(void) {
  expose();
  initialised[k_words - 1] = 2;
  zero[7] = 3;
  CHECK(pipe(go_on) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(seen_by_child());
  initialised[k_words - 1] = zero[k_words / 2] = 5;
  CHECK(write(go_on[1], "", 1) == 1);
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(initialised[0] == 1 && zero[7] == 3 && zero[k_words - 1] == 0);
  CHECK(initialised[k_words - 1] == 5 && zero[k_words / 2] == 5);
  return 0;
}
