// The receiving half of the engine: executing buffers, and acknowledging what was tracked in them.

#include "atoll/base/describe.hpp"
#include "atoll/base/error.hpp"
#include "atoll/message/engine.hpp"

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace atoll::message {
namespace {

std::uint64_t load_word(const std::byte* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

struct acknowledgement {
  std::uint64_t activity;
  std::uint64_t parts;

  void operator()() const {
    this_pe().messages->count_acknowledgement();
    engine::acknowledged(activity, parts);
  }
};

struct failed_acknowledgement {
  std::uint64_t activity;
  std::uint64_t parts;

  void operator()(std::span<const std::byte> text) const {
    this_pe().messages->count_acknowledgement();
    engine::acknowledged_failure(
        activity, parts, this_pe().messages->source(),
        std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
  }
};

}  // namespace

void engine::deliver(const transport::delivery& buffer) {
  source_ = buffer.source;
  activity** const outer = enclosing_;
  section_ = &unscoped_;
  enclosing_ = &section_;
  deliver_messages(buffer.data, buffer.data + buffer.bytes);
  enclosing_ = outer;
}

void engine::deliver_messages(const std::byte* at, const std::byte* end) {
  while (at < end) {
    const std::uint64_t word = load_word(at);
    const std::byte* const stop = at + k_unit * (1 + (word & 0xffff));
    const handler_name name = word >> k_name_shift;
    if (name == k_scope_marker) {
      close_section();
      open_section(load_word(at + k_unit));
    } else if (name == k_parcel) {
      close_section();
      deliver_parcel(at, stop);
    } else if (name != k_padding) {
      tracked_executed_ += handlers_.function_of(name)(*this, at + k_unit, stop);
    }
    at = stop;
  }
  close_section();
}

void engine::open_section(std::uint64_t origin_activity) {
  section_remote_ = fresh_remote();
  section_remote_->origin = source_;
  section_remote_->origin_activity = origin_activity;
  section_ = section_remote_;
  section_start_ = tracked_executed_;
}

void engine::close_section() {
  if (section_remote_ == nullptr) return;
  remote_activity& remote = *section_remote_;
  section_remote_ = nullptr;
  section_ = &unscoped_;
  remote.executed = tracked_executed_ - section_start_;
  remote.on_idle = &remote_idle;
  if (remote.pending == 0) acknowledge(remote);
}

remote_activity* engine::fresh_remote() {
  if (idle_remotes_.empty()) {
    idle_remotes_.reserve(remotes_.size() + 1);
    remotes_.push_back(std::make_unique<remote_activity>());
    return remotes_.back().get();
  }
  auto* remote = idle_remotes_.back();
  idle_remotes_.pop_back();
  return remote;
}

void engine::remote_idle(activity& idle) {
  this_pe().messages->acknowledge(static_cast<remote_activity&>(idle));
}

void engine::acknowledge(remote_activity& done) {
  const auto [origin, word, parts] = std::tuple(done.origin, done.origin_activity, done.executed);
  const std::exception_ptr failure = std::exchange(done.failure, nullptr);
  done.on_idle = nullptr;
  idle_remotes_.push_back(&done);
  if (origin == self_.rank) {
    if (failure) reinterpret_cast<activity*>(word)->fail(failure);
    acknowledged(word, parts);
  } else if (failure) {
    ++acknowledgements_sent_;
    const std::string text =
        describe(failure).substr(0, payload_capacity<failed_acknowledgement>());
    send_with<traffic::control>(origin, failed_acknowledgement{word, parts},
                                std::as_bytes(std::span(text)), site::current());
  } else if (parts != 0) {
    ++acknowledgements_sent_;
    send<traffic::control>(origin, acknowledgement{word, parts}, site::current());
  }
}

void engine::acknowledged(std::uint64_t activity_word, std::uint64_t parts) {
  if (parts != 0) {
    reinterpret_cast<activity*>(activity_word)->end(static_cast<std::int64_t>(parts));
  }
}

void engine::acknowledged_failure(std::uint64_t activity_word, std::uint64_t parts, int pe,
                                  std::string_view text) {
  reinterpret_cast<activity*>(activity_word)
      ->fail(std::make_exception_ptr(error(errc::remote, fmt::format("PE {}: {}", pe, text))));
  acknowledged(activity_word, parts);
}

void engine::count_executed(traffic kind, std::uint64_t messages, std::uint64_t bytes,
                            std::uint64_t lines) {
  counters_.lines_touched += lines;
  if (kind == traffic::control) {
    counters_.control_messages_executed += messages;
  } else if (source_ == self_.rank) {
    executed_of_own_ += messages;
  } else {
    executed_of_others_ += messages;
    counters_.message_bytes_executed += bytes;
    if (!buffer_states_[source_].distant) return;
    counters_.distant_messages_executed += messages;
    counters_.distant_message_bytes_executed += bytes;
  }
}

}  // namespace atoll::message
