/* If a resource limit is too low for exposing static data, the error must name the limit. The data
 * must stay unchanged, and can be exposed later. */

#include "cases.h"

#include <string.h>
#include <sys/resource.h>

static long kept = 5;

static struct rlimit limit_now(int resource) {
  struct rlimit limit;
  CHECK(getrlimit(resource, &limit) == 0);
  return limit;
}

static void check_refusal(int resource, rlim_t most, const char* name) {
  const struct rlimit former = limit_now(resource);
  const struct rlimit low = {most, former.rlim_max};
  CHECK(setrlimit(resource, &low) == 0);
  const char* const text = try_to_expose();
  CHECK(setrlimit(resource, &former) == 0);
  CHECK(text != NULL);
  fprintf(stderr, "%s\n", text);
  CHECK(strstr(text, name) != NULL && strstr(text, "static data") != NULL);
}

int refused(void) {
  kept = 6;
  check_refusal(RLIMIT_NOFILE, 3, "ulimit -n, now 3");
  check_refusal(RLIMIT_FSIZE, 4096, "ulimit -f, now 4");
  CHECK(kept == 6);
  expose();
  CHECK(kept == 6 && is_exposed(&kept));
  return 0;
}
