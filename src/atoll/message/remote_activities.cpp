#include "atoll/message/remote_activities.hpp"

#include "atoll/error.hpp"
#include "atoll/message/engine.hpp"
#include "atoll/message/send_buffer.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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

// `on_idle` is set only when the section (the messages of one activity in a buffer) ends, because
// `pending` can reach 0 several times before.
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

namespace {

struct acknowledgement {
  /// Address of the activity in the upper 48 bits, and number of acknowledged messages in the low
  /// 16 bits. A buffer has fewer than 2^16 messages, so 16 bits suffice for the number of
  /// acknowledged messages.
  std::uint64_t activity_and_parts;

  void operator()() const {
    this_pe().messages->acknowledgements().count_received();
    acknowledged(activity_and_parts >> 16, activity_and_parts & 0xffff);
  }
};

std::string text_of(const std::exception_ptr& failure, site spawned) {
  const std::string task =
      spawned.known() ? fmt::format(" (in the task spawned at {})", to_string(spawned)) : "";
  return describe(failure) + task;
}

/// A failure that another PE has reported, with the text from that PE.
struct failure_elsewhere : error {
  failure_elsewhere(errc code, int on_pe, std::string_view said)
      : error(code, fmt::format("PE {}: {}", on_pe, said)), pe(on_pe), text(said) {}

  int pe;
  std::string text;
};

/// Returns the PE on which a failure happened, and the text of the failure. If another PE has
/// reported the failure, the function returns the PE and the text from the report. If the failure
/// happened on this PE, the function returns this PE and the text `text_of(failure, spawned)`.
std::pair<int, std::string> told(const std::exception_ptr& failure, int self, site spawned) {
  if (!spawned.known()) {
    try {
      std::rethrow_exception(failure);
    } catch (const failure_elsewhere& known) {
      return {known.pe, known.text};
    } catch (...) {  // the failure happened on this PE
    }
  }
  return {self, text_of(failure, spawned)};
}

struct failed_acknowledgement {
  std::uint64_t activity_word;
  std::uint32_t parts;
  int pe;
  errc code;

  void operator()(std::span<const std::byte> text) const {
    auto& messages = *this_pe().messages;
    messages.acknowledgements().count_received();
    const std::string_view said{reinterpret_cast<const char*>(text.data()), text.size()};
    messages.fail_in(*reinterpret_cast<activity*>(activity_word),
                     std::make_exception_ptr(failure_elsewhere(code, pe, said)), {});
    acknowledged(activity_word, parts);
  }
};

}  // namespace

void acknowledger::send_from_this_pe(activity& idle) {
  this_pe().messages->acknowledgements().send(static_cast<remote_activity&>(idle));
}

void acknowledger::send(remote_activity& done) {
  const auto [origin, word, parts] = std::tuple(done.origin, done.origin_activity, done.executed);
  const std::exception_ptr failure = std::exchange(done.failure, nullptr);
  remotes_.release(done);
  if (origin == self_) {
    if (failure) messages_.pass_on(*reinterpret_cast<activity*>(word), failure);
    acknowledged(word, parts);
  } else if (failure) {
    ++sent_;
    auto [pe, text] = told(failure, self_, messages_.failures().drop(failure));
    text.resize(std::min(text.size(), messages_.payload_capacity<failed_acknowledgement>()));
    messages_.send_with<traffic::control>(
        origin,
        failed_acknowledgement{word, static_cast<std::uint32_t>(parts), pe, carried_code(failure)},
        std::as_bytes(std::span(text)), site::current());
  } else if (parts != 0) {
    ++sent_;
    messages_.send<traffic::control>(
        origin, acknowledgement{word_of_address(word, static_cast<std::uint16_t>(parts))},
        site::current());
  }
}

}  // namespace atl::message
