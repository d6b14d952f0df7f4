#pragma once
// Under a sanitizer, these constants tell a test to skip a part or to use smaller sizes.

#if defined(__SANITIZE_THREAD__)
#define ATOLL_TEST_ONLY_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ATOLL_TEST_ONLY_THREADS 1
#endif
#endif

namespace atl::test {

/// True under a thread sanitizer, which cannot follow a fork.
#ifdef ATOLL_TEST_ONLY_THREADS
inline constexpr bool only_threads = true;
#else
inline constexpr bool only_threads = false;
#endif

/// True if a sanitizer checks every memory access. Long tests use smaller sizes if `sanitized` is
/// true.
#ifdef ATOLL_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace atl::test
