#include "atoll/message/acknowledger.hpp"

#include "atoll/error.hpp"
#include "atoll/message/engine.hpp"
#include "atoll/message/words.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace atl::message {
namespace {

struct acknowledgement {
  std::uint64_t activity_and_parts;  ///< a buffer has less than 2^16 messages

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

/// What has failed on another PE, as that has said.
struct failure_elsewhere : error {
  failure_elsewhere(errc code, int on_pe, std::string_view said)
      : error(code, fmt::format("PE {}: {}", on_pe, said)), pe(on_pe), text(said) {}

  int pe;
  std::string text;
};

/// Where it has failed, and what is said of it there: what no task here has left, but a message
/// that this PE has sent on, is told as it was.
std::pair<int, std::string> told(const std::exception_ptr& failure, int self, site spawned) {
  if (!spawned.known()) {
    try {
      std::rethrow_exception(failure);
    } catch (const failure_elsewhere& known) {
      return {known.pe, known.text};
    } catch (...) {  // what has failed here
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
