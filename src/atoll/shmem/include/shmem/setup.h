#ifndef ATOLL_SHMEM_SETUP_H
#define ATOLL_SHMEM_SETUP_H
// Declarations of the functions that begin and end a job, query its PEs, allocate symmetric memory,
// and control profiling.

#include <stddef.h>

#include "declare.h"

// Functions that begin and end a job, and query its PEs.

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 256
#define SHMEM_VENDOR_STRING "Atoll 0.1.0"

ATOLL_SHMEM_FUNCTION(void, shmem_init, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_finalize, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_global_exit, (int status));
ATOLL_SHMEM_FUNCTION(int, shmem_my_pe, (void));
ATOLL_SHMEM_FUNCTION(int, shmem_n_pes, (void));
ATOLL_SHMEM_FUNCTION(int, shmem_pe_accessible, (int pe));
ATOLL_SHMEM_FUNCTION(int, shmem_addr_accessible, (const void* addr, int pe));
ATOLL_SHMEM_FUNCTION(void*, shmem_ptr, (const void* dest, int pe));
ATOLL_SHMEM_FUNCTION(void, shmem_info_get_version, (int* major, int* minor));
ATOLL_SHMEM_FUNCTION(void, shmem_info_get_name, (char* name));

// Levels of thread support, which state how many threads of a program may call the library. Each
// thread level allows everything that the lower levels allow.

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

ATOLL_SHMEM_FUNCTION(int, shmem_init_thread, (int requested, int* provided));
ATOLL_SHMEM_FUNCTION(void, shmem_query_thread, (int* provided));

// Functions that allocate and free symmetric memory.

// Hints on how the program will use the memory, which can be combined by |.
#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

ATOLL_SHMEM_FUNCTION(void*, shmem_malloc, (size_t size));
ATOLL_SHMEM_FUNCTION(void, shmem_free, (void* ptr));
ATOLL_SHMEM_FUNCTION(void*, shmem_realloc, (void* ptr, size_t size));
ATOLL_SHMEM_FUNCTION(void*, shmem_align, (size_t alignment, size_t size));
ATOLL_SHMEM_FUNCTION(void*, shmem_malloc_with_hints, (size_t size, long hints));
ATOLL_SHMEM_FUNCTION(void*, shmem_calloc, (size_t count, size_t size));

// The profiling interface. Every function NAME is also available as pNAME. A profiling tool defines
// the function NAME itself, and calls the original function by the name pNAME.

ATOLL_SHMEM_FUNCTION(void, shmem_pcontrol, (int level, ...));

#endif
