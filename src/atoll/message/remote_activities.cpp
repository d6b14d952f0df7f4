#include "atoll/message/remote_activities.hpp"

#include <utility>

namespace atl::message {

remote_activities::remote_activities(activity& unscoped, void (*on_idle)(activity&),
                                     memory_account& account)
    : unscoped_(unscoped), on_idle_(on_idle), current_(&unscoped), all_(account) {}

void remote_activities::open_section(int origin, std::uint64_t origin_activity) {
  open_ = &all_.take();
  open_->origin = origin;
  open_->origin_activity = origin_activity;
  current_ = open_;
  executed_before_ = executed_;
}

// Nothing is called before the section ends: `pending` may return to 0 several times until then.
remote_activity* remote_activities::close_section() {
  if (open_ == nullptr) return nullptr;
  remote_activity* const closed = std::exchange(open_, nullptr);
  current_ = &unscoped_;
  closed->executed = executed_ - executed_before_;
  closed->on_idle = on_idle_;
  return closed->pending == 0 ? closed : nullptr;
}

void remote_activities::release(remote_activity& done) {
  done.on_idle = nullptr;
  all_.give_back(done);
}

}  // namespace atl::message
