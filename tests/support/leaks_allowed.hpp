#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ATOLL_TEST_FINDS_LEAKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATOLL_TEST_FINDS_LEAKS 1
#endif
#endif

#ifdef ATOLL_TEST_FINDS_LEAKS
#include <sanitizer/lsan_interface.h>
#endif

#include "atoll/base/namespace.hpp"

namespace atoll::test {

/// For as long as it lives, what this thread allocates may be left behind: a job that ends early
/// does not destroy its suspended tasks.
class leaks_allowed {
 public:
#ifdef ATOLL_TEST_FINDS_LEAKS
  leaks_allowed() { __lsan_disable(); }
  ~leaks_allowed() { __lsan_enable(); }
#else
  leaks_allowed() {}
#endif
  leaks_allowed(const leaks_allowed&) = delete;
  leaks_allowed& operator=(const leaks_allowed&) = delete;
};

}  // namespace atoll::test
