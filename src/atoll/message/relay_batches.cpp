#include "atoll/message/relay_batches.hpp"

#include <utility>

namespace atl::message {

activity& relay_batches::batch_for(remote_activity& section) {
  close();
  if (open_ == nullptr) {
    open_ = &all_.take();
    open_->on_idle = on_done_;
    open_->begin();
    opened_at_ = buffers_sent_;
  }
  open_->waiting.push_back(&section);
  section.begin();
  return *open_;
}

void relay_batches::close() {
  if (open_ != nullptr && buffers_sent_ != opened_at_) std::exchange(open_, nullptr)->end();
}

void relay_batches::end(relay_batch& done) {
  for (remote_activity* const each : done.waiting) each->end();
  done.waiting.clear();
  all_.give_back(done);
}

}  // namespace atl::message
