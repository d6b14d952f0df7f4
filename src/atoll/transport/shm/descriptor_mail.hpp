#pragma once
// Sends file descriptors to other processes of this machine by Unix sockets. A process could also
// open another one's files in /proc, but sandboxes and containers often deny that.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace atl::transport::shm {

/// The address at which a process receives descriptors. The address is a plain value that the
/// process must send to others by other means, such as MPI.
struct mail_address {
  /// Name of an abstract socket; empty if the kernel gave none.
  std::array<char, 48> name{};
  /// Number by which a receiver recognises messages of the address's owner.
  std::uint64_t secret = 0;
};

/// Descriptors that were received, or the errno with the reason why there are none.
struct received_descriptors {
  /// Descriptors that are closed on exec; the caller must close them.
  std::vector<int> descriptors;
  int reason = 0;
};

/// Sends and receives up to `most_at_a_time` descriptors per message. Only processes in the same
/// network namespace can send to each other.
class descriptor_mail {
 public:
  static constexpr std::size_t most_at_a_time = 8;

  descriptor_mail() noexcept;
  ~descriptor_mail();
  descriptor_mail(const descriptor_mail&) = delete;
  descriptor_mail& operator=(const descriptor_mail&) = delete;

  /// Returns the address of this process. The name in the address is empty if the kernel gave no
  /// socket; `reason` then returns the errno.
  const mail_address& address() const noexcept { return address_; }
  int reason() const noexcept { return reason_; }

  /// Sends descriptors to the process with the address `to`. Returns 0 or the errno. Does not
  /// block. If the receiver's socket is full, the result is EAGAIN.
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
