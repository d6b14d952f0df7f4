#pragma once

#include "atoll/job/children.hpp"
#include "atoll/job/signal_scope.hpp"

namespace atl::job {

/// As long as it lives, SIGHUP, SIGUSR2 and SIGCONT go to the children as well. One at a time.
class forwarded_signals {
 public:
  /// The signals are blocked until `open`: to be made before there are children, whose programs may
  /// say that they are ready before all of them have been started.
  explicit forwarded_signals(const children& receivers);
  ~forwarded_signals();
  forwarded_signals(const forwarded_signals&) = delete;
  forwarded_signals& operator=(const forwarded_signals&) = delete;

  /// From now on signals are handled, by this thread.
  void open() noexcept { blocked_.open(); }

  /// In a forked child: gives the signals back.
  void leave_to_child() noexcept;

 private:
  blocked_signals blocked_;
  signal_actions actions_;
};

}  // namespace atl::job
