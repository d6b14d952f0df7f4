#ifndef ATOLL_SHMEM_ORDERING_H
#define ATOLL_SHMEM_ORDERING_H
// Memory ordering.

#include "contexts.h"
#include "declare.h"

ATOLL_SHMEM_FUNCTION(void, shmem_fence, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_ctx_fence, (shmem_ctx_t ctx));
ATOLL_SHMEM_FUNCTION(void, shmem_quiet, (void));
ATOLL_SHMEM_FUNCTION(void, shmem_ctx_quiet, (shmem_ctx_t ctx));

#endif
