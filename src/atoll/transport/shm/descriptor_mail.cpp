#include "atoll/transport/shm/descriptor_mail.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <random>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace atl::transport::shm {
namespace {

constexpr std::size_t control_bytes = CMSG_SPACE(descriptor_mail::most_at_a_time * sizeof(int));

/// The kernel's form of the address of an abstract Unix socket. The name of an abstract socket
/// begins with a zero byte and is no file name.
struct abstract_name {
  sockaddr_un address{};
  socklen_t bytes = 0;

  explicit abstract_name(const mail_address& of) noexcept {
    const std::string_view name = of.name.data();
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  sockaddr* get() noexcept { return reinterpret_cast<sockaddr*>(&address); }
};

/// Makes an address whose name and secret no other process can guess.
mail_address new_address() {
  std::random_device chance;
  const auto word = [&chance] { return std::uint64_t{chance()} << 32 | chance(); };
  mail_address made;
  fmt::format_to_n(made.name.data(), made.name.size() - 1, "atoll-{:016x}{:016x}", word(), word());
  made.secret = word();
  return made;
}

/// A message with descriptors, in the memory layout that the kernel requires.
struct letter {
  std::uint64_t secret = 0;
  iovec text{&secret, sizeof secret};
  alignas(cmsghdr) std::byte control[control_bytes]{};
  msghdr head{};

  letter() noexcept {
    head.msg_iov = &text;
    head.msg_iovlen = 1;
    head.msg_control = control;
    head.msg_controllen = sizeof control;
  }

  void enclose(std::span<const int> descriptors) noexcept {
    head.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const enclosed = CMSG_FIRSTHDR(&head);
    enclosed->cmsg_level = SOL_SOCKET;
    enclosed->cmsg_type = SCM_RIGHTS;
    enclosed->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(enclosed), descriptors.data(), descriptors.size_bytes());
  }

  std::vector<int> enclosed() noexcept {
    std::vector<int> all;
    for (cmsghdr* each = CMSG_FIRSTHDR(&head); each != nullptr; each = CMSG_NXTHDR(&head, each)) {
      if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      const std::size_t before = all.size();
      all.resize(before + count);
      std::memcpy(all.data() + before, CMSG_DATA(each), count * sizeof(int));
    }
    return all;
  }
};

void close_all(std::span<const int> descriptors) noexcept {
  for (const int each : descriptors) close(each);
}

}  // namespace

descriptor_mail::descriptor_mail() noexcept
    : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (socket_ >= 0 && bind_to_name()) return;
  reason_ = reason_ != 0 ? reason_ : errno;
  address_ = {};
}

bool descriptor_mail::bind_to_name() noexcept {
  try {
    address_ = new_address();
  } catch (...) {
    reason_ = ENOSYS;  // the system offers no random numbers
    return false;
  }
  abstract_name name(address_);
  return bind(socket_, name.get(), name.bytes) == 0;
}

descriptor_mail::~descriptor_mail() {
  if (socket_ >= 0) close(socket_);
}

int descriptor_mail::send(const mail_address& to, std::span<const int> descriptors) noexcept {
  if (to.name[0] == '\0' || socket_ < 0) return ENOTCONN;
  abstract_name name(to);
  letter sent;
  sent.secret = address_.secret;
  sent.enclose(descriptors);
  sent.head.msg_name = name.get();
  sent.head.msg_namelen = name.bytes;
  return sendmsg(socket_, &sent.head, MSG_NOSIGNAL) < 0 ? errno : 0;
}

received_descriptors descriptor_mail::receive(const mail_address& from) {
  if (reason_ != 0) return {{}, reason_};
  while (true) {
    letter came;
    const ssize_t bytes = recvmsg(socket_, &came.head, MSG_CMSG_CLOEXEC);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return {{}, errno};
    std::vector<int> enclosed = came.enclosed();
    const bool is_cut = (came.head.msg_flags & MSG_CTRUNC) != 0;
    if (bytes == sizeof came.secret && came.secret == from.secret && !is_cut)
      return {std::move(enclosed), 0};
    close_all(enclosed);
    if (is_cut && came.secret == from.secret) return {{}, EMFILE};
  }
}

}  // namespace atl::transport::shm
