#pragma once

#include "atoll/job/children.hpp"
#include "atoll/job/signal_scope.hpp"

namespace atl::job {

/// As long as it lives, SIGHUP, SIGUSR2 and SIGCONT go to the children as well. One at a time.
class forwarded_signals {
 public:
  explicit forwarded_signals(const children& receivers);
  ~forwarded_signals();
  forwarded_signals(const forwarded_signals&) = delete;
  forwarded_signals& operator=(const forwarded_signals&) = delete;

 private:
  signal_actions actions_;
};

}  // namespace atl::job
