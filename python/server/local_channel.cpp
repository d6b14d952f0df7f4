#include "atoll/error.hpp"
#include "python/server/channel.hpp"

#include <cerrno>
#include <cstring>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <utility>

namespace atl::serve {
namespace {

/// Room for the descriptors of one message, with the alignment that the system requires.
union descriptor_room {
  cmsghdr aligned;
  char bytes[CMSG_SPACE(k_most_files * sizeof(int))];
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

/// Adds descriptors to a message that will be sent.
void add_descriptors(msghdr& sent, descriptor_room& room, const std::vector<descriptor>& files) {
  if (files.empty()) return;
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

bool has_gone(int cause) { return cause == EPIPE || cause == ECONNRESET; }

/// A connected Unix socket. The descriptors of a message travel with its first byte.
class local_channel : public channel {
 public:
  explicit local_channel(int socket) : socket_(socket) {}

  bool receive_exactly(void* into, std::size_t bytes) override {
    auto* next = static_cast<char*>(into);
    while (bytes > 0) {
      const auto got = receive_some(next, bytes);
      if (got == 0) return false;
      next += got;
      bytes -= got;
    }
    return true;
  }

  std::optional<received_files> receive_files(std::uint32_t count) override {
    if (count != arrived_.size())
      fail(errc::input, "a message of the client announces {} descriptors, and has {}", count,
           arrived_.size());
    return received_files{std::exchange(arrived_, {}), nullptr};
  }

  void send(std::string_view bytes, const std::vector<descriptor>& files) override {
    descriptor_room room{};
    iovec content{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr sent{};
    sent.msg_iov = &content;
    sent.msg_iovlen = 1;
    add_descriptors(sent, room, files);
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

  int unread() const override {
    int bytes = 0;
    return ioctl(socket_.number(), SIOCOUTQ, &bytes) == 0 ? bytes : 0;
  }

  void stop_receiving() override {
    // `shutdown` fails only if the client has gone already, and then `receive_exactly` ends anyway.
    static_cast<void>(shutdown(socket_.number(), SHUT_RD));
  }

  bool is_remote() const override { return false; }

 private:
  std::size_t receive_some(void* into, std::size_t bytes) {
    iovec content{into, bytes};
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
    if (got <= 0) return 0;
    take_descriptors(asked, arrived_);
    if ((asked.msg_flags & MSG_CTRUNC) != 0 || arrived_.size() > k_most_files)
      fail(errc::input,
           "a message of the client has more than {} descriptors, or the limit of open files is "
           "too low (ulimit -n)",
           k_most_files);
    return static_cast<std::size_t>(got);
  }

  descriptor socket_;
  std::vector<descriptor> arrived_;  // the descriptors of the message that is being received
};

}  // namespace

std::unique_ptr<channel> make_local_channel(int socket) {
  sockaddr_un name{};
  socklen_t size = sizeof name;
  const bool is_socket = getpeername(socket, reinterpret_cast<sockaddr*>(&name), &size) == 0;
  if (!is_socket || name.sun_family != AF_UNIX)
    fail(errc::input, "--descriptor {}: the number is not a connected Unix socket ({})", socket,
         is_socket ? "it is another socket" : std::strerror(errno));
  return std::make_unique<local_channel>(socket);
}

}  // namespace atl::serve
