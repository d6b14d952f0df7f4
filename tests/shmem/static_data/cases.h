/* The test cases for exposed static data, and functions that they share. Exposing static data
 * moves the static variables of the program into memory that other processes can map. All cases
 * are in one program, so that each way to compile and link needs only one link. */
#ifndef ATOLL_TESTS_SHMEM_STATIC_DATA_CASES_H
#define ATOLL_TESTS_SHMEM_STATIC_DATA_CASES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exposes the static data of the program. Returns null, or the text of the error. */
const char* try_to_expose(void);

/* Exposes the static data, and ends the program on an error. */
void expose(void);

/* The following functions return properties of the exposed memory. */
char* exposed_begin(void);
size_t exposed_size(void);
int exposed_descriptor(void);
int is_exposed(const void* object);

/* Exposes the static data again. Returns the number of bytes that the second call has exposed. */
size_t exposed_once_more(void);

/* Maps the exposed memory of another process, and returns its address. Ends the program if the
 * memory cannot be mapped. */
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
