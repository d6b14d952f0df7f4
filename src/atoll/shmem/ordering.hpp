#pragma once

namespace atl::shmem {

/// What this PE has put before into the memory of a PE is seen there before what it puts after.
void fence(const char* call);

/// Blocks until all that this PE has begun is complete.
void quiet(const char* call);

/// The same, where PE `pe` is not reached; gets from others are complete when they return.
void complete_gets(const char* call, int pe);

}  // namespace atl::shmem
