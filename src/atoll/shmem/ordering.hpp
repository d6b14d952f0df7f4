#pragma once
// Communication contexts, and the order of what this PE does to the memory of others.

#include "atoll/shmem/include/shmem/teams.h"

#include <cstdint>

namespace atl::shmem {

/// What this PE has put before into the memory of a PE is seen there before what it puts after.
void fence(const char* call);

/// Blocks until all that this PE has begun is complete.
void quiet(const char* call);

/// The same, where PE `pe` is not reached; gets from others are complete when they return.
void complete_gets(const char* call, int pe);

// Communication contexts. Operations need no state of their own per context: one is the team whose
// numbers it takes for PEs, and what it was created with.

/// The PE of the job that `pe` is in the team of a context. Ends the job where there is none.
int world_pe_of(const char* call, shmem_ctx_t ctx, int pe);

/// The same, at once for the default context, whose PEs are those of the job.
inline int world_pe(const char* call, shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) [[likely]]
    return pe;
  return world_pe_of(call, ctx, pe);
}

}  // namespace atl::shmem
