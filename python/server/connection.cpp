#include "python/server/connection.hpp"

#include "atoll/error.hpp"
#include "atoll/event.hpp"

#include <bit>
#include <csignal>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <unistd.h>

namespace atl::serve {

namespace {

/// Replaces lists and objects in a message, which may be nested so deeply that functions of JSON
/// would overflow the stack. The call then fails.
void refuse_brackets(message& got) {
  for (const auto& [name, value] : got.body.items()) {
    if (!value.is_structured()) continue;
    value = nullptr;
    const std::string text =
        fmt::format("{}: a list or an object is no value of an argument", name);
    got.refusal = std::make_exception_ptr(error(errc::input, text));
  }
}

}  // namespace

std::optional<message> connection::receive() {
  message got;
  std::uint32_t header[2] = {};
  if (!channel_->receive_exactly(header, sizeof header)) return std::nullopt;
  if (header[0] > most_bytes)
    fail(errc::input, "a message of the client has {} bytes of JSON, and at most {} are allowed",
         header[0], most_bytes);
  if (header[1] > most_files)
    fail(errc::input, "a message of the client announces {} arrays, and at most {} are allowed",
         header[1], most_files);
  std::string text(header[0], '\0');
  if (!channel_->receive_exactly(text.data(), text.size())) return std::nullopt;
  got.body = nlohmann::json::parse(text, nullptr, false);
  if (!got.body.is_object()) fail(errc::input, "a message of the client is not a JSON object");
  auto found = channel_->receive_files(header[1]);
  if (!found) return std::nullopt;
  got.files = std::move(found->files);
  got.refusal = found->refusal;
  refuse_brackets(got);
  return got;
}

void connection::send(const nlohmann::json& body, const std::vector<descriptor>& files) {
  const std::string text = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  static_assert(std::endian::native == std::endian::little);
  const std::uint32_t header[2] = {static_cast<std::uint32_t>(text.size()),
                                   static_cast<std::uint32_t>(files.size())};
  channel_->send(std::string(reinterpret_cast<const char*>(header), sizeof header) + text, files);
}

void connection::send_if_read(const nlohmann::json& body) {
  constexpr int most_unread = 4096;
  if (channel_->unread() <= most_unread) send(body);
}

void wake(const outside_user_event& awaited) {
  try {
    awaited.trigger();
  } catch (const error&) {
    // The event cannot be triggered after the end of the job, when no task waits for it any more.
  }
}

struct receiver::mail {
  explicit mail(std::shared_ptr<connection> client) : from(std::move(client)) {}

  void refuse_too_many();
  bool take(std::optional<message> message_or_end, const std::exception_ptr& fault);

  const std::shared_ptr<connection> from;
  std::mutex mutex;  // protects all members below
  std::deque<message> arrived;
  bool ended = false;
  // Whether the task waits for a message, or soon will, because no call is running.
  bool is_awaited = true;
  std::exception_ptr failure;
  std::optional<outside_user_event> arrival;
};

void receiver::mail::refuse_too_many() {
  const std::lock_guard lock(mutex);
  if (arrived.size() == connection::most_waiting)
    fail(errc::input, "the client has sent {} messages without waiting for an answer",
         arrived.size() + 1);
}

/// Stores a message or the end of the connection, and wakes the task. Returns whether the client
/// has gone during a call.
bool receiver::mail::take(std::optional<message> message_or_end, const std::exception_ptr& fault) {
  std::optional<outside_user_event> awaited;
  bool has_left = false;
  {
    const std::lock_guard lock(mutex);
    if (message_or_end) {
      arrived.push_back(std::move(*message_or_end));
    } else if (!ended) {
      ended = true;
      failure = fault;
      has_left = !fault && !is_awaited && !from->is_remote();
    }
    awaited.swap(arrival);
  }
  if (awaited) wake(*awaited);
  return has_left;
}

receiver::receiver(std::shared_ptr<connection> from)
    : mail_(std::make_shared<mail>(std::move(from))), thread_([to = mail_] { run(to); }) {}

receiver::~receiver() {
  {
    const std::lock_guard lock(mail_->mutex);
    mail_->ended = true;
  }
  mail_->from->stop_receiving();
  thread_.join();
}

void receiver::run(const std::shared_ptr<mail>& into) {
  for (bool goes_on = true; goes_on;) {
    std::optional<message> arrived;
    std::exception_ptr fault;
    try {
      arrived = into->from->receive();
      into->refuse_too_many();
    } catch (...) {
      fault = std::current_exception();
      arrived.reset();
    }
    goes_on = arrived.has_value();
    // If the client has gone during a call, nobody needs the result, so the job is ended.
    if (into->take(std::move(arrived), fault)) kill(getpid(), SIGTERM);
  }
}

void receiver::end_call() {
  const std::lock_guard lock(mail_->mutex);
  mail_->is_awaited = true;
}

task<std::optional<message>> receiver::next() {
  const auto mail = mail_;
  const user_event arrival = make_user_event();
  bool waits = false;
  {
    const std::lock_guard lock(mail->mutex);
    waits = mail->arrived.empty() && !mail->ended;
    if (waits) mail->arrival.emplace(arrival.outside());
  }
  if (!waits) arrival.trigger();
  co_await arrival;
  const std::lock_guard lock(mail->mutex);
  mail->is_awaited = false;
  if (mail->failure) std::rethrow_exception(mail->failure);
  if (mail->ended || mail->arrived.empty()) co_return std::nullopt;
  message first = std::move(mail->arrived.front());
  mail->arrived.pop_front();
  co_return first;
}

}  // namespace atl::serve
