#pragma once
// Descriptors for other processes of this machine, over Unix sockets: that asks for no right over
// the other process, as opening its files in /proc does, which sandboxes and containers deny.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace atl::transport::shm {

/// Where a process takes descriptors, as a plain value: others are told it by other means.
struct mail_address {
  std::array<char, 48> name{};  ///< of a socket, without the file system; empty: there is none
  std::uint64_t secret = 0;     ///< that it puts on what it sends itself
};

/// What came, or the errno that says why nothing did.
struct received_descriptors {
  std::vector<int> descriptors;  ///< closed on exec, and the caller's
  int reason = 0;
};

/// Takes descriptors, a few at a time, and sends them. A name is seen within a network namespace.
class descriptor_mail {
 public:
  static constexpr std::size_t most_at_a_time = 8;

  descriptor_mail() noexcept;
  ~descriptor_mail();
  descriptor_mail(const descriptor_mail&) = delete;
  descriptor_mail& operator=(const descriptor_mail&) = delete;

  /// Without a name where the kernel gives no socket; `reason` says why.
  const mail_address& address() const noexcept { return address_; }
  int reason() const noexcept { return reason_; }

  /// Returns 0, or the errno. Does not block; a mail box holds a few.
  int send(const mail_address& to, std::span<const int> descriptors) noexcept;

  /// What somebody with this address has sent, after it has. Anything else is thrown away. Does not
  /// block: where nothing has come, the reason is EAGAIN.
  received_descriptors receive(const mail_address& from);

 private:
  bool bind_to_name() noexcept;

  mail_address address_;
  int socket_ = -1;
  int reason_ = 0;
};

}  // namespace atl::transport::shm
