#pragma once
// Sends file descriptors to other processes of this machine through Unix sockets. A process could
// also open the files of another process in /proc, but sandboxes and containers often deny access
// to /proc.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace atl::transport::shm {

/// The address at which a process receives descriptors. The process must send its address to the
/// senders by other means, such as MPI.
struct mail_address {
  /// Name of an abstract Unix socket. The name is empty if the process has no socket.
  std::array<char, 48> name{};
  /// A secret number in each message, by which a receiver recognises the sender.
  std::uint64_t secret = 0;
};

/// The received descriptors or, if none were received, the errno that says why.
struct received_descriptors {
  /// The received descriptors, which the caller must close. The kernel closes the descriptors if
  /// the process executes another program.
  std::vector<int> descriptors;
  int reason = 0;
};

/// Sends and receives descriptors, at most `most_at_a_time` per message. Two processes can send to
/// each other only if they are in the same network namespace.
class descriptor_mail {
 public:
  static constexpr std::size_t most_at_a_time = 8;

  descriptor_mail() noexcept;
  ~descriptor_mail();
  descriptor_mail(const descriptor_mail&) = delete;
  descriptor_mail& operator=(const descriptor_mail&) = delete;

  /// Returns the address of this process. If the process could not get a socket, the name in the
  /// address is empty, and `reason` returns the errno.
  const mail_address& address() const noexcept { return address_; }
  int reason() const noexcept { return reason_; }

  /// Sends descriptors to the process with the address `to`. Returns 0 after success, and the errno
  /// after a failure. Does not block. If the receiver's socket is full, the result is EAGAIN.
  int send(const mail_address& to, std::span<const int> descriptors) noexcept;

  /// Receives descriptors from the process with the address `from`. Messages of other processes are
  /// discarded. Does not block. If nothing has arrived, the reason in the result is EAGAIN.
  received_descriptors receive(const mail_address& from);

 private:
  bool bind_to_name() noexcept;

  mail_address address_;
  int socket_ = -1;
  int reason_ = 0;
};

}  // namespace atl::transport::shm
