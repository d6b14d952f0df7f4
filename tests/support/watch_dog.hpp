#pragma once
// Ends a test that hangs, and prints its name.

#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>

namespace atl::test {

/// Ends the process with status 1 and a message if the object exists for more than a minute. In
/// builds that check every memory access, the object may exist for five minutes. If the parent
/// process of forked PEs is ended, the PEs end too. Only one object of this class may exist at a
/// time.
class watch_dog {
 public:
  watch_dog() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    length_ = std::snprintf(text_, sizeof text_, "\n%s.%s: the job hung for %u s\n",
                            test->test_suite_name(), test->name(), k_seconds);
    struct sigaction action{};
    action.sa_handler = [](int) {
      // The process ends even if the write fails, because nothing else can be done.
      if (::write(STDERR_FILENO, text_, static_cast<std::size_t>(length_)) <= 0) _exit(2);
      _exit(1);
    };
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &former_);
    alarm(k_seconds);
  }
  ~watch_dog() {
    alarm(0);
    sigaction(SIGALRM, &former_, nullptr);
  }
  watch_dog(const watch_dog&) = delete;
  watch_dog& operator=(const watch_dog&) = delete;

 private:
#ifdef ATOLL_SANITIZED
  static constexpr unsigned k_seconds = 300;
#else
  static constexpr unsigned k_seconds = 60;
#endif
  static inline char text_[300];
  static inline int length_ = 0;
  struct sigaction former_{};
};

}  // namespace atl::test
