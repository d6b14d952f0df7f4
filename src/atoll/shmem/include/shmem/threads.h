#ifndef ATOLL_SHMEM_THREADS_H
#define ATOLL_SHMEM_THREADS_H
// Thread support. Each level allows what the lower ones allow.

#include "declare.h"

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

ATOLL_SHMEM_FUNCTION(int, shmem_init_thread, (int requested, int* provided));
ATOLL_SHMEM_FUNCTION(void, shmem_query_thread, (int* provided));

#endif
