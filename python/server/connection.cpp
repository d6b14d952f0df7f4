#include "python/server/connection.hpp"

#include "atoll/error.hpp"
#include "atoll/event.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <linux/sockios.h>
#include <mutex>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace atl::serve {
namespace {

/// Room for the descriptors of one message, with the alignment that the system requires.
union descriptor_room {
  cmsghdr aligned;
  char bytes[CMSG_SPACE(connection::most_files * sizeof(int))];
};

/// Appends the descriptors that a call of `recvmsg` has received.
void take_descriptors(msghdr& received, std::vector<descriptor>& files) {
  for (cmsghdr* each = CMSG_FIRSTHDR(&received); each != nullptr;
       each = CMSG_NXTHDR(&received, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(each) + i * sizeof(int), sizeof(int));
      files.emplace_back(number);
    }
  }
}

bool has_gone(int cause) { return cause == EPIPE || cause == ECONNRESET; }

}  // namespace

connection::connection(int socket) : socket_(socket) {
  sockaddr_un name{};
  socklen_t size = sizeof name;
  const bool is_socket = getpeername(socket, reinterpret_cast<sockaddr*>(&name), &size) == 0;
  if (!is_socket || name.sun_family != AF_UNIX)
    fail(errc::input, "--descriptor {}: the number is not a connected Unix socket ({})", socket,
         is_socket ? "it is another socket" : std::strerror(errno));
}

bool connection::receive_exactly(void* into, std::size_t bytes) {
  auto* next = static_cast<char*>(into);
  while (bytes > 0) {
    const auto got = recv(socket_.number(), next, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && !has_gone(errno))
      fail(errc::environment, "the client's socket cannot be read: {}", std::strerror(errno));
    if (got <= 0) return false;
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

// Descriptors arrive with the first byte of the header.
bool connection::receive_header(std::uint32_t (&header)[2], std::vector<descriptor>& files) {
  iovec content{header, 1};
  descriptor_room room{};
  msghdr asked{};
  asked.msg_iov = &content;
  asked.msg_iovlen = 1;
  asked.msg_control = room.bytes;
  asked.msg_controllen = sizeof room.bytes;
  ssize_t got = 0;
  do {
    got = recvmsg(socket_.number(), &asked, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0 && !has_gone(errno))
    fail(errc::environment, "the client's socket cannot be read: {}", std::strerror(errno));
  if (got <= 0) return false;
  take_descriptors(asked, files);
  if ((asked.msg_flags & MSG_CTRUNC) != 0)
    fail(errc::input,
         "a message of the client has more than {} descriptors, or the limit of open "
         "files is too low (ulimit -n)",
         most_files);
  return receive_exactly(reinterpret_cast<char*>(header) + 1, sizeof header - 1);
}

std::optional<message> connection::receive() {
  message got;
  std::uint32_t header[2] = {};
  if (!receive_header(header, got.files)) return std::nullopt;
  if (header[0] > most_bytes)
    fail(errc::input, "a message of the client has {} bytes of JSON, and at most {} are allowed",
         header[0], most_bytes);
  if (header[1] != got.files.size())
    fail(errc::input, "a message of the client announces {} descriptors, and has {}", header[1],
         got.files.size());
  std::string text(header[0], '\0');
  if (!receive_exactly(text.data(), text.size())) return std::nullopt;
  got.body = nlohmann::json::parse(text, nullptr, false);
  if (!got.body.is_object()) fail(errc::input, "a message of the client is not a JSON object");
  return got;
}

void connection::send(const nlohmann::json& body, const std::vector<descriptor>& files) {
  const std::string text = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::uint32_t header[2] = {static_cast<std::uint32_t>(text.size()),
                             static_cast<std::uint32_t>(files.size())};
  std::string bytes(reinterpret_cast<const char*>(header), sizeof header);
  bytes += text;
  descriptor_room room{};
  iovec content{bytes.data(), bytes.size()};
  msghdr sent{};
  sent.msg_iov = &content;
  sent.msg_iovlen = 1;
  if (!files.empty()) {
    sent.msg_control = room.bytes;
    sent.msg_controllen = CMSG_SPACE(files.size() * sizeof(int));
    cmsghdr* const rights = CMSG_FIRSTHDR(&sent);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
    for (std::size_t i = 0; i < files.size(); ++i) {
      const int number = files[i].number();
      std::memcpy(CMSG_DATA(rights) + i * sizeof(int), &number, sizeof number);
    }
  }
  while (content.iov_len > 0) {
    const auto done = sendmsg(socket_.number(), &sent, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && has_gone(errno)) return;
    if (done < 0)
      fail(errc::environment, "the client's socket cannot be written: {}", std::strerror(errno));
    content.iov_base = static_cast<char*>(content.iov_base) + done;
    content.iov_len -= static_cast<std::size_t>(done);
    sent.msg_control = nullptr;  // the descriptors have left with the first bytes
    sent.msg_controllen = 0;
  }
}

void connection::send_if_read(const nlohmann::json& body) {
  constexpr int most_unread = 4096;
  int unread = 0;
  if (ioctl(socket_.number(), SIOCOUTQ, &unread) != 0 || unread > most_unread) return;
  send(body);
}

void connection::stop_receiving() {
  // A failure means that the client has gone already, which ends `receive` as well.
  static_cast<void>(shutdown(socket_.number(), SHUT_RD));
}

struct receiver::mail {
  explicit mail(std::shared_ptr<connection> client) : from(std::move(client)) {}

  void refuse_too_many();
  bool take(std::optional<message> message_or_end, const std::exception_ptr& fault);

  const std::shared_ptr<connection> from;
  std::mutex mutex;  // protects all members below
  std::deque<message> arrived;
  bool ended = false;
  bool is_awaited = true;  // whether no call is running: the task waits, or soon will
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
      has_left = !fault && !is_awaited;
    }
    awaited.swap(arrival);
  }
  try {
    if (awaited) awaited->trigger();
  } catch (const error&) {
    // A PE has died meanwhile. The job has ended, and no task waits for the event.
  }
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
    // Nobody needs the result of the call that is running.
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
  if (mail->arrived.empty()) co_return std::nullopt;
  message first = std::move(mail->arrived.front());
  mail->arrived.pop_front();
  co_return first;
}

}  // namespace atl::serve
