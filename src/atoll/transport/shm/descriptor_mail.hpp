#pragma once
// Sends descriptors to other processes of this machine, over Unix sockets. Unlike opening files in
// /proc, this needs no right over the other process. Sandboxes and containers deny such rights.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace atl::transport::shm {

/// Address at which a process receives descriptors: a plain value, sent to others by other means.
struct mail_address {
  std::array<char, 48> name{};  ///< of an abstract socket; empty: there is none
  std::uint64_t secret = 0;     ///< included in everything sent by its owner
};

/// Descriptors that were received, or the errno that says why there are none.
struct received_descriptors {
  std::vector<int> descriptors;  ///< closed on exec; owned by the caller
  int reason = 0;
};

/// Sends and receives descriptors, a few at a time. Names are visible within a network namespace.
class descriptor_mail {
 public:
  static constexpr std::size_t most_at_a_time = 8;

  descriptor_mail() noexcept;
  ~descriptor_mail();
  descriptor_mail(const descriptor_mail&) = delete;
  descriptor_mail& operator=(const descriptor_mail&) = delete;

  /// Returns the address; without a name if the kernel gives no socket. `reason` says why.
  const mail_address& address() const noexcept { return address_; }
  int reason() const noexcept { return reason_; }

  /// Sends descriptors. Returns 0, or the errno. Does not block; a mail box holds a few messages.
  int send(const mail_address& to, std::span<const int> descriptors) noexcept;

  /// Receives descriptors sent by the process with this address. Messages of others are thrown
  /// away. Does not block: if nothing has arrived, the reason is EAGAIN.
  received_descriptors receive(const mail_address& from);

 private:
  bool bind_to_name() noexcept;

  mail_address address_;
  int socket_ = -1;
  int reason_ = 0;
};

}  // namespace atl::transport::shm
