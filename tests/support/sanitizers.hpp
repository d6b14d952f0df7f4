#pragma once
// What a test leaves out, or makes smaller, where a sanitizer looks on.

#if defined(__SANITIZE_THREAD__)
#define ATOLL_TEST_ONLY_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ATOLL_TEST_ONLY_THREADS 1
#endif
#endif

namespace atl::test {

/// A thread sanitizer cannot follow a fork.
#ifdef ATOLL_TEST_ONLY_THREADS
inline constexpr bool only_threads = true;
#else
inline constexpr bool only_threads = false;
#endif

/// Sizes of tests that take long where every access is checked.
#ifdef ATOLL_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace atl::test
