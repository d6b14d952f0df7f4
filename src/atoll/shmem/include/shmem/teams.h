#ifndef ATOLL_SHMEM_TEAMS_H
#define ATOLL_SHMEM_TEAMS_H
// Declarations of teams and of communication contexts.

#include "declare.h"

// The first part declares teams, which are sets of PEs.

// A handle of a team. The type is a pointer to an incomplete type, so that the compiler
// distinguishes handles from numbers. The handles of predefined teams are small constant numbers,
// which are equal on all PEs.
typedef struct atoll_shmem_team* shmem_team_t;

#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)

typedef struct {
  int num_contexts;
} shmem_team_config_t;

// Flags of a configuration mask. A flag means that the program has set the member of the
// configuration with the same name, such as num_contexts.
#define SHMEM_TEAM_NUM_CONTEXTS 1L

ATOLL_SHMEM_FUNCTION(int, shmem_team_my_pe, (shmem_team_t team));
ATOLL_SHMEM_FUNCTION(int, shmem_team_n_pes, (shmem_team_t team));
ATOLL_SHMEM_FUNCTION(int, shmem_team_get_config,
                     (shmem_team_t team, long config_mask, shmem_team_config_t* config));
ATOLL_SHMEM_FUNCTION(int, shmem_team_translate_pe,
                     (shmem_team_t src_team, int src_pe, shmem_team_t dest_team));
ATOLL_SHMEM_FUNCTION(int, shmem_team_split_strided,
                     (shmem_team_t parent_team, int start, int stride, int size,
                      const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team));
ATOLL_SHMEM_FUNCTION(int, shmem_team_split_2d,
                     (shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config,
                      long xaxis_mask, shmem_team_t* xaxis_team,
                      const shmem_team_config_t* yaxis_config, long yaxis_mask,
                      shmem_team_t* yaxis_team));
ATOLL_SHMEM_FUNCTION(void, shmem_team_destroy, (shmem_team_t team));

// The second part declares communication contexts.

typedef struct atoll_shmem_ctx* shmem_ctx_t;

#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)

// Options of a context, which can be combined by |.
#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L

ATOLL_SHMEM_FUNCTION(int, shmem_ctx_create, (long options, shmem_ctx_t* ctx));
ATOLL_SHMEM_FUNCTION(int, shmem_team_create_ctx,
                     (shmem_team_t team, long options, shmem_ctx_t* ctx));
ATOLL_SHMEM_FUNCTION(void, shmem_ctx_destroy, (shmem_ctx_t ctx));
ATOLL_SHMEM_FUNCTION(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team));

#endif
