/* The C library must keep its state when static data is exposed, even if the library is linked
 * statically. */

#include "cases.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static char out_buffer[8192];
static char put_in_environment[] = "ATOLL_TEST_PUT=static";
static int ended;

static void at_end(void) {
  CHECK(ended == 1);
  printf("at exit\n");
}

static void check_environment(char** before) {
  CHECK(environ == before);
  CHECK(strcmp(getenv("ATOLL_TEST_SET"), "before") == 0);
  CHECK(strcmp(getenv("ATOLL_TEST_PUT"), "static") == 0);
  CHECK(setenv("ATOLL_TEST_SET", "after", 1) == 0 && unsetenv("ATOLL_TEST_PUT") == 0);
  CHECK(setenv("ATOLL_TEST_NEW", "new", 1) == 0 && getenv("ATOLL_TEST_PUT") == NULL);
  CHECK(system("test \"$ATOLL_TEST_SET$ATOLL_TEST_NEW$ATOLL_TEST_PUT\" = afternew") == 0);
}

static void check_processes(void) {
  CHECK(WEXITSTATUS(system("exit 3")) == 3);
  FILE* const pipe = popen("echo from a pipe", "r");
  char line[100] = "";
  CHECK(pipe != NULL && fgets(line, sizeof line, pipe) != NULL);
  CHECK(strcmp(line, "from a pipe\n") == 0 && pclose(pipe) == 0);
}

static void check_file(FILE* file) {
  char line[100] = "";
  CHECK(fprintf(file, "after\n") > 0 && fseek(file, 0, SEEK_SET) == 0);
  CHECK(fgets(line, sizeof line, file) != NULL && strcmp(line, "before, after\n") == 0);
  CHECK(fclose(file) == 0);
}

static void check_memory(char* kept) {
  CHECK(strcmp(kept, "kept") == 0);
  kept = realloc(kept, 1 << 20);
  CHECK(kept != NULL && strcmp(kept, "kept") == 0);
  free(kept);
  char* const top = sbrk(1 << 16); /* without ASLR, the heap follows .bss */
  CHECK(top != (char*)-1 && !is_exposed(top));
  top[0] = top[(1 << 16) - 1] = 1;
}

/* Reads the words "first" and "second" from the standard input. Writes the lines "before, after",
 * "first second" and "at exit". */
int c_library(void) {
  char words[] = "a b";
  char first[100], second[100];
  setvbuf(stdout, out_buffer, _IOFBF, sizeof out_buffer);
  atexit(at_end);
  setenv("ATOLL_TEST_SET", "before", 1);
  putenv(put_in_environment);
  FILE* const file = tmpfile();
  CHECK(file != NULL && fprintf(file, "before, ") > 0);
  CHECK(strcmp(strtok(words, " "), "a") == 0);
  char* const kept = strdup("kept");
  srand(5);
  const int random = rand();
  const int next = rand();
  srand(5);
  CHECK(rand() == random);
  int* const number = &errno;
  char** const environment = environ;
  CHECK(scanf("%99s", first) == 1);
  printf("before, ");
  expose();
  printf("after\n");
  CHECK(scanf("%99s", second) == 1 && printf("%s %s\n", first, second) > 0);
  fflush(stdout);
  CHECK(rand() == next && strcmp(strtok(NULL, " "), "b") == 0);
  CHECK(number == &errno && close(-1) == -1 && errno == EBADF);
  check_environment(environment);
  check_processes();
  check_file(file);
  check_memory(kept);
  fprintf(stderr, "standard error\n");
  ended = 1;
  return 0;
}
