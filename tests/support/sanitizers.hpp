#pragma once
// Constants by which a test leaves something out, or makes it smaller, under a sanitizer.

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

/// Tests that take long where every access is checked have smaller sizes.
#ifdef ATOLL_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace atl::test
