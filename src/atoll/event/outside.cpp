#include "atoll/deferred.hpp"

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/event/table.hpp"
#include "atoll/task/mailbox.hpp"

#include <atomic>

namespace atl {
namespace events {

void outside_wait::failed(const event_fault& fault) {
  end(carried_code(fault.failure), describe(fault.failure));
}

void outside_wait::job_ended() {
  const std::lock_guard lock(mutex_);
  job_is_over_ = true;
  ended_.notify_all();
}

void outside_wait::end(std::optional<errc> code, std::string text) {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  code_ = code;
  text_ = std::move(text);
  ended_.notify_all();
}

bool outside_wait::wait(std::optional<std::chrono::nanoseconds> longest, site where) {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return has_ended_ || job_is_over_; };
  if (longest) {
    if (!ended_.wait_for(lock, *longest, is_over)) return false;
  } else {
    ended_.wait(lock, is_over);
  }
  if (code_) throw error(*code_, text_);
  if (!has_ended_)
    fail(errc::environment, "the job has ended without the event that a thread waits for at {}",
         to_string(where));
  return true;
}

/// With an object of this class, a thread that is not a PE can trigger one user event or make the
/// event fail. The thread sends a request, and the PE that made the event executes the request.
class outside_sender {
 public:
  outside_sender(name user, std::shared_ptr<tasks::mailbox> box)
      : user_(user), box_(std::move(box)) {
    box_->enter();
  }
  ~outside_sender() {
    if (used_.load() == 0) box_->leave();
  }
  outside_sender(const outside_sender&) = delete;
  outside_sender& operator=(const outside_sender&) = delete;

  void send(const std::optional<error>& failure, site where) {
    std::uint64_t before = 0;
    if (!used_.compare_exchange_strong(before, where.word()))
      fail(errc::input, "the event triggered at {} is triggered at {} again",
           to_string(site::from_word(before)), to_string(where));
    bool taken = false;
    try {
      taken = box_->post([user = user_, failure, where] { end_here(user, failure, where); });
    } catch (...) {  // The request was not sent, so the caller can try again.
      used_.store(0);
      throw;
    }
    box_->leave();
    if (!taken)
      fail(errc::environment, "an event is triggered at {} by a thread, and the job has ended",
           to_string(where));
  }

 private:
  static void end_here(name user, const std::optional<error>& failure, site where) {
    try {
      if (!failure) return table::here().trigger(user, where);
      table::here().poison(user, {std::make_exception_ptr(*failure), where, my_pe()}, where);
    } catch (...) {  // The thread has continued and cannot receive the error, so the job ends.
      memory::end_job(std::current_exception());
    }
  }

  name user_;
  std::shared_ptr<tasks::mailbox> box_;
  std::atomic<std::uint64_t> used_{0};
};

std::shared_ptr<outside_wait> table::outside(name awaited, site where) {
  const std::uint32_t index = slot_to_wait_at(awaited, where);
  if (index == 0) {
    const auto ended = std::make_shared<outside_wait>();
    const event_fault* const fault = fault_of(awaited);
    fault != nullptr ? ended->failed(*fault) : ended->triggered();
    return ended;
  }
  if (const auto found = outside_.find(awaited.word()); found != outside_.end())
    return found->second;
  const auto made = std::make_shared<outside_wait>();
  add_waiter(index, waiter::of_outside());
  outside_.emplace(awaited.word(), made);
  return made;
}

void table::tell_outside(name ended, const event_fault* fault) {
  const auto found = outside_.find(ended.word());
  if (found == outside_.end()) return;
  fault != nullptr ? found->second->failed(*fault) : found->second->triggered();
  outside_.erase(found);
}

}  // namespace events

void outside_event::external_wait(site where) const { ending_->wait({}, where); }

bool outside_event::external_wait_for(std::chrono::nanoseconds longest, site where) const {
  return ending_->wait(longest, where);
}

void outside_user_event::trigger(site where) const { sender_->send({}, where); }

void outside_user_event::poison(const error& failure, site where) const {
  sender_->send(failure, where);
}

outside_event event::outside(site where) const {
  return outside_event(events::table::here().outside(name_, where));
}

outside_user_event user_event::outside(site where) const {
  if (!this_pe().transport->wake())
    fail(errc::input,
         "a thread is to trigger an event, at {}, and --transport sim has none beside "
         "the PEs",
         to_string(where));
  user_event here = *this;
  if (pe() != my_pe()) {
    here = make_user_event(where);
    trigger_when(*this, here, where);
  }
  return {event::outside(where),
          std::make_shared<events::outside_sender>(here.name(), this_pe().tasks->outside())};
}

}  // namespace atl
