#pragma once
// Simulates a full disk for this process.

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace atl::test {

/// While the object exists, files of this process cannot grow beyond `bytes` bytes. A write beyond
/// `bytes` bytes fails with an error.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) : former_action_(std::signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &former_), 0);
    const rlimit now{bytes, former_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &now), 0);
  }
  ~file_size_limit() {
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &former_), 0);
    std::signal(SIGXFSZ, former_action_);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;

 private:
  rlimit former_{};
  void (*former_action_)(int);
};

}  // namespace atl::test
