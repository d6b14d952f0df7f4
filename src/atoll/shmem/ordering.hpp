#pragma once
// This file has the order of this PE's accesses to the memory of other PEs, and communication
// contexts.

#include "atoll/shmem/include/shmem/teams.h"

#include <cstdint>

namespace atl::shmem {

/// Orders the puts of this PE: on each other PE, earlier puts become visible before later puts.
void fence(const char* call);

/// Blocks until all one-sided operations of this PE are complete.
void quiet(const char* call);

/// Blocks until nonblocking gets from PE `pe` are complete. If the memory of PE `pe` is directly
/// accessible, nonblocking gets are already complete, and the call does nothing. If the memory of
/// PE `pe` is not directly accessible, the call waits for all operations of this PE.
void complete_gets(const char* call, int pe);

// A communication context consists only of its team and its options; operations have no state per
// context. A PE number in a call on a context is a number in the context's team.

/// Converts `pe`, a number in the team of the context, to the number of that PE in the job. Ends
/// the job if the team has no PE `pe`.
int world_pe_of(const char* call, shmem_ctx_t ctx, int pe);

/// Converts `pe`, a number in the team of the context, to the number of that PE in the job. For the
/// default context, both numbers are equal.
inline int world_pe(const char* call, shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) [[likely]]
    return pe;
  return world_pe_of(call, ctx, pe);
}

}  // namespace atl::shmem
