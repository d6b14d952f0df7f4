#ifndef ATOLL_SHMEM_LOCKS_H
#define ATOLL_SHMEM_LOCKS_H
// Distributed locks. A lock may be called volatile, as it had to be in earlier versions.

#include "declare.h"

ATOLL_SHMEM_FUNCTION(void, shmem_set_lock, (volatile long* lock));
ATOLL_SHMEM_FUNCTION(void, shmem_clear_lock, (volatile long* lock));
ATOLL_SHMEM_FUNCTION(int, shmem_test_lock, (volatile long* lock));

#endif
