#pragma once
// Communication contexts, and the order of this PE's accesses to the memory of others.

#include "atoll/shmem/include/shmem/teams.h"

#include <cstdint>

namespace atl::shmem {

/// Orders puts: earlier puts of this PE to a PE are visible there before later ones.
void fence(const char* call);

/// Blocks until all operations of this PE are complete.
void quiet(const char* call);

/// Blocks until all operations of this PE are complete, if the memory of PE `pe` is not directly
/// accessible. Gets from other PEs are complete when they return.
void complete_gets(const char* call, int pe);

// Communication contexts. Operations need no state per context. A context consists of the team
// whose numbers it takes for PEs, and of its options.

/// Returns the PE of the job that has number `pe` in the team of a context. Ends the job if there
/// is none.
int world_pe_of(const char* call, shmem_ctx_t ctx, int pe);

/// Returns the PE of the job for `pe` on a context, at once for the default context, which numbers
/// PEs as the job does.
inline int world_pe(const char* call, shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) [[likely]]
    return pe;
  return world_pe_of(call, ctx, pe);
}

}  // namespace atl::shmem
