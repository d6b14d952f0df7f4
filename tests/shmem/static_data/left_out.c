/* The program has mapped other memory over pages of its static data, or has protected pages. Such
 * pages must stay as they are when static data is exposed. */

#include "cases.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

static char pages[5][PAGE] __attribute__((aligned(PAGE)));
static char guarded[3][PAGE] __attribute__((aligned(PAGE)));

static int file_of(const char* text) {
  const int file = memfd_create("test", 0);
  CHECK(file >= 0 && ftruncate(file, PAGE) == 0);
  CHECK(pwrite(file, text, strlen(text), 0) == (ssize_t)strlen(text));
  return file;
}

static void map_over(char* page, int flags, int file) {
  CHECK(mmap(page, PAGE, PROT_READ | PROT_WRITE, flags | MAP_FIXED, file, 0) == page);
}

static int can_read(const char* byte) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const int done = write(ends[1], byte, 1) == 1;
  CHECK(done || errno == EFAULT);
  close(ends[0]);
  close(ends[1]);
  return done;
}

int left_out(void) {
  const int shared = file_of("shared");
  map_over(pages[1], MAP_SHARED, shared);
  map_over(pages[3], MAP_PRIVATE, file_of("private"));
  pages[2][0] = 1;
  guarded[0][0] = guarded[2][0] = 2;
  CHECK(mprotect(guarded[1], PAGE, PROT_NONE) == 0);
  expose();
  CHECK(strcmp(pages[1], "shared") == 0 && strcmp(pages[3], "private") == 0);
  CHECK(pages[0][0] == 0 && pages[2][0] == 1 && pages[4][0] == 0);
  CHECK(guarded[0][0] == 2 && guarded[2][0] == 2 && !can_read(guarded[1]));
  char* const alias = others_data(getpid(), exposed_descriptor(), exposed_size());
  CHECK(strcmp(alias + (pages[3] - exposed_begin()), "private") == 0);
  CHECK(pwrite(shared, "S", 1, 0) == 1 && pages[1][0] == 'S');
  CHECK(exposed_once_more() == 0);
  CHECK(pages[2][0] == 1 && strcmp(pages[3], "private") == 0);
  CHECK(mprotect(guarded[1], PAGE, PROT_READ) == 0); /* a leak sanitizer reads all static data */
  return 0;
}
