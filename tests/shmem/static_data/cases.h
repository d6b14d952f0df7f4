/* One program of many cases, so that each way to compile and link needs one link: what a C program
 * sees of its own variables once they are shared. */
#ifndef ATOLL_TESTS_SHMEM_STATIC_DATA_CASES_H
#define ATOLL_TESTS_SHMEM_STATIC_DATA_CASES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes an atl::shmem::static_data; null, or the text of its error. */
const char* try_to_expose(void);

/* Ends the program where that fails. */
void expose(void);

/* What it says. */
char* exposed_begin(void);
size_t exposed_size(void);
int exposed_descriptor(void);
int is_exposed(const void* object);

/* A second one is made: the size of what it exposes. */
size_t exposed_once_more(void);

/* The begin of what another process exposes. Ends the program where it cannot be mapped. */
char* others_data(long process, int descriptor, size_t size);

int contents(void);
int c_library(void);
int objects(void);
int peer_of_fork(void);
int peer_of_exec(void);
int exec_ed_peer(long process, int descriptor, int arrived);
int forked_later(void);
int untouched(void);
int scanned(void);
int left_out(void);
int interrupted(void);
int refused(void);

#ifdef __cplusplus
}
#endif

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#endif
