#pragma once
// Tells the PE that sent tracked messages that they, and all they set off, are done.

#include "atoll/message/activity.hpp"

#include <cstdint>

namespace atl::message {

class engine;
class remote_activities;

/// An activity of this PE has had `parts` executed elsewhere. `activity_word` is its address, as it
/// travelled.
inline void acknowledged(std::uint64_t activity_word, std::uint64_t parts) {
  if (parts != 0) reinterpret_cast<activity*>(activity_word)->end(static_cast<std::int64_t>(parts));
}

class acknowledger {
 public:
  acknowledger(engine& messages, int self, remote_activities& remotes)
      : messages_(messages), self_(self), remotes_(remotes) {}

  /// Acknowledges to the origin of the remote activity, and releases that.
  void send(remote_activity& done);

  /// The same for the PE of this thread: what `remote_activities` calls.
  static void send_from_this_pe(activity& idle);

  void count_received() { ++received_; }

  /// Acknowledgements sent and received by this PE so far. Like messages they set something off:
  /// who waits for them goes on.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

 private:
  engine& messages_;
  int self_;
  remote_activities& remotes_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace atl::message
