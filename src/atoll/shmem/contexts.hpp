#pragma once
// Communication contexts. Operations need no state of their own per context: one is the team whose
// numbers it takes for PEs, and what it was created with.

#include "atoll/shmem/include/shmem/contexts.h"

#include <cstdint>

namespace atl::shmem {

/// The PE of the job that `pe` is in the team of a context. Ends the job where there is none.
int world_pe_of(const char* call, shmem_ctx_t ctx, int pe);

/// The same, at once for the default context, whose PEs are those of the job.
inline int world_pe(const char* call, shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) [[likely]]
    return pe;
  return world_pe_of(call, ctx, pe);
}

}  // namespace atl::shmem
