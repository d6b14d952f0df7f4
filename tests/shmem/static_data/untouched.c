/* Pages of static data that were never written must take no memory when the data is exposed. All
 * written values must be kept. */

#include "cases.h"

#include <sys/resource.h>
#include <sys/stat.h>

#define SIZE ((size_t)256 << 20)
#define STEP ((size_t)17 << 20)

static char large[SIZE];

static int check_large(void) {
  int read_only = 0;
  for (size_t i = 0; i < SIZE; i += STEP) large[i + 5000] = (char)(i / STEP + 1);
  for (size_t i = 0; i < SIZE / 2; i += 8192) read_only |= large[i];
  large[SIZE - 1] = 3;
  large[SIZE / 2] = 1;
  large[SIZE / 2] = 0;
  expose();
  CHECK(read_only == 0);
  struct stat file;
  CHECK(fstat(exposed_descriptor(), &file) == 0 && (size_t)file.st_size >= SIZE);
  CHECK(file.st_blocks * 512 < 2 << 20);
  for (size_t i = 0; i < SIZE; i += STEP) CHECK(large[i + 5000] == (char)(i / STEP + 1));
  CHECK(large[SIZE - 1] == 3 && large[SIZE - 2] == 0 && large[SIZE / 3] == 0);
  large[SIZE / 3] = 1;
  CHECK(large[SIZE / 3] == 1);
  return 0;
}

int untouched(void) { return check_large(); }

/* No descriptor is left for /proc/self/pagemap, so all pages must be read. */
int scanned(void) {
  const struct rlimit low = {4, 4};
  CHECK(setrlimit(RLIMIT_NOFILE, &low) == 0);
  return check_large();
}
