#include "atoll/job/timer_slack.hpp"

#include <sys/prctl.h>

namespace atl::job {
namespace {

constexpr unsigned long short_slack = 1'000;  // nanoseconds

}  // namespace

short_timer_slack::short_timer_slack() noexcept : former_(prctl(PR_GET_TIMERSLACK)) {
  if (former_ > 0 && prctl(PR_SET_TIMERSLACK, short_slack) != 0) former_ = -1;
}

short_timer_slack::~short_timer_slack() {
  if (former_ > 0) prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(former_));
}

}  // namespace atl::job
