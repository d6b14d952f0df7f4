#pragma once
// Communication contexts, and the order of this PE's accesses to the memory of others.

#include "atoll/shmem/include/shmem/teams.h"

#include <cstdint>

namespace atl::shmem {

/// Orders puts. Earlier puts of this PE to another PE become visible there before later puts.
void fence(const char* call);

/// Blocks until all operations of this PE are complete.
void quiet(const char* call);

/// Completes gets from PE `pe`. If the memory of that PE is not directly accessible, blocks until
/// all operations of this PE are complete. Otherwise gets are complete when they return, and the
/// call does nothing.
void complete_gets(const char* call, int pe);

// Communication contexts. Operations keep no state per context. A context consists of its team and
// its options. PE numbers in calls on a context are numbers in its team.

/// Returns the number in the job of PE `pe` of a context's team. Ends the job if the team has no
/// such PE.
int world_pe_of(const char* call, shmem_ctx_t ctx, int pe);

/// Returns the number in the job of PE `pe` on a context. The default context uses the numbers of
/// the job, so the call returns at once.
inline int world_pe(const char* call, shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) [[likely]]
    return pe;
  return world_pe_of(call, ctx, pe);
}

}  // namespace atl::shmem
