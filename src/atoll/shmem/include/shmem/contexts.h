#ifndef ATOLL_SHMEM_CONTEXTS_H
#define ATOLL_SHMEM_CONTEXTS_H
// Communication contexts.

#include "declare.h"
#include "teams.h"

typedef struct atoll_shmem_ctx* shmem_ctx_t;

#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)

// Options, to be combined by |.
#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L

ATOLL_SHMEM_FUNCTION(int, shmem_ctx_create, (long options, shmem_ctx_t* ctx));
ATOLL_SHMEM_FUNCTION(int, shmem_team_create_ctx,
                     (shmem_team_t team, long options, shmem_ctx_t* ctx));
ATOLL_SHMEM_FUNCTION(void, shmem_ctx_destroy, (shmem_ctx_t ctx));
ATOLL_SHMEM_FUNCTION(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team));

#endif
