#ifndef ATOLL_SHMEM_MEMORY_H
#define ATOLL_SHMEM_MEMORY_H
// Symmetric memory.

#include <stddef.h>

#include "declare.h"

// Hints, to be combined by |.
#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

ATOLL_SHMEM_FUNCTION(void*, shmem_malloc, (size_t size));
ATOLL_SHMEM_FUNCTION(void, shmem_free, (void* ptr));
ATOLL_SHMEM_FUNCTION(void*, shmem_realloc, (void* ptr, size_t size));
ATOLL_SHMEM_FUNCTION(void*, shmem_align, (size_t alignment, size_t size));
ATOLL_SHMEM_FUNCTION(void*, shmem_malloc_with_hints, (size_t size, long hints));
ATOLL_SHMEM_FUNCTION(void*, shmem_calloc, (size_t count, size_t size));

#endif
