#pragma once
// A PE executes messages that belong to scopes of other PEs, and acknowledges the messages to their
// senders. Received messages are counted in remote activities (activity.hpp), counters of the work
// that the messages start on this PE. A relayed message whose function sends and spawns nothing
// (runs.hpp) belongs to a batch: an activity for several relayed messages.

#include "atoll/base/memory_account.hpp"
#include "atoll/message/activity.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace atl::message {

/// An object pool of one PE. Objects of the pool keep their addresses. The memory of the objects is
/// added to the PE's memory account. Even if the memory limit is exceeded, the pool makes new
/// objects, because the messages that need them have already arrived.
template <class T>
class reused {
 public:
  explicit reused(memory_account& account) : account_(account) {}

  /// Returns an unused object, in the state in which the object was given back. Throws
  /// std::bad_alloc.
  T& take() {
    if (idle_.empty()) return fresh();
    T& taken = *idle_.back();
    idle_.pop_back();
    return taken;
  }

  /// Returns an object to the pool. This function cannot throw, because the list of unused objects
  /// already has memory for all objects.
  void give_back(T& used) noexcept { idle_.push_back(&used); }

 private:
  static constexpr std::size_t k_cost =
      // bytes of an object, the allocator's overhead, and the object's entries in `all_` and
      // `idle_`
      sizeof(T) + 2 * sizeof(std::size_t) + 2 * sizeof(T*);

  T& fresh() {
    if (idle_.capacity() == all_.size()) idle_.reserve(std::max<std::size_t>(8, 2 * all_.size()));
    all_.push_back(std::make_unique<T>());
    account_.add(k_cost);
    return *all_.back();
  }

  memory_account& account_;
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> idle_;
};

/// The remote activities of one PE. A section is the part of a buffer whose tracked messages belong
/// to one activity; it begins with a scope marker (send_buffer.hpp). For each received section, one
/// remote activity counts the tasks and messages that the section's messages start on this PE.
class remote_activities {
 public:
  /// `unscoped` is the activity of messages that belong to no scope.
  /// If a remote activity still has unfinished work at the end of its section, `on_idle` is called
  /// when that work is done.
  remote_activities(activity& unscoped, void (*on_idle)(activity&), memory_account& account);

  /// Opens a section of a buffer. The messages delivered next belong to the activity
  /// `origin_activity` of PE `origin`.
  void open_section(int origin, std::uint64_t origin_activity);

  /// Ends the section, if one is open. Returns the section's remote activity if all of its work is
  /// done already. Returns null if no section is open, or if the work of the open section is not
  /// done.
  remote_activity* close_section();

  /// Returns the remote activity of the open section.
  remote_activity& section() { return *open_; }

  /// Adds `tracked_messages` to the number of executed messages of the section.
  void count_executed(std::uint64_t tracked_messages) { executed_ += tracked_messages; }

  /// Returns the address of the pointer to the current activity, for `activity_context::enter`.
  /// Messages and tasks that the handlers of a section create belong to the section's activity.
  activity** slot() { return &current_; }

  /// Releases a remote activity whose work is done, so that another section can use the object.
  void release(remote_activity& done);

 private:
  activity& unscoped_;
  void (*on_idle_)(activity&);
  activity* current_;
  remote_activity* open_ = nullptr;    ///< activity of the open section; null if no section is open
  std::uint64_t executed_ = 0;         ///< number of tracked messages executed so far
  std::uint64_t executed_before_ = 0;  ///< value of `executed_` when the section began
  reused<remote_activity> all_;
};

// A relayed message whose function sends and spawns nothing (a leaf message, runs.hpp) belongs to a
// batch: an activity of the relaying PE. One batch contains all leaf messages that a PE relays
// before it sends the next buffer. Because relayed messages from many senders share a batch, the
// next PE can acknowledge them with one message instead of one message per sender. When all
// messages of a batch are done, the PE can acknowledge the received messages from which the batch
// was made.
//
// A batch must not accept messages after a part of the batch was sent. If a partly sent batch
// accepted more messages, two PEs could wait for each other's batches forever. Only leaf messages
// may share a batch, because their functions send no messages and spawn no tasks. Messages that
// start tasks could cause a deadlock: a task could wait for the batch while the batch waits for the
// task.

/// A batch of relayed messages. The batch is an activity that counts each relayed message until the
/// message is acknowledged. While the batch is open, its number of unfinished messages is one too
/// high, so that the batch cannot end before it is closed.
struct relay_batch : activity {
  /// Remote activities of the received messages from which the batch was made. When the batch ends,
  /// `pending` of the remote activity in each entry decreases by one.
  std::vector<remote_activity*> waiting;
};

class relay_batches {
 public:
  /// `buffers_sent` is the number of buffers that this PE has sent; the variable must outlive this
  /// object. `on_done` is called when all messages of a batch are done, and must call `end`.
  relay_batches(const std::uint64_t& buffers_sent, void (*on_done)(activity&),
                memory_account& account)
      : buffers_sent_(buffers_sent), on_done_(on_done), all_(account) {}

  /// Returns the batch (an activity for relayed messages) for messages that were received as part
  /// of the remote activity `section`. The caller must not use the batch after the next call of a
  /// member function. Throws std::bad_alloc.
  activity& batch_for(remote_activity& section);

  /// If a buffer was sent since the batch was opened, closes the batch, because the buffer can
  /// contain messages of the batch. Call this function after the delivery of received buffers.
  void close();

  /// Subtracts one from `pending` of the remote activity in each entry of `done.waiting`, and frees
  /// the batch `done` for reuse.
  void end(relay_batch& done);

 private:
  const std::uint64_t& buffers_sent_;
  void (*on_done_)(activity&);
  relay_batch* open_ = nullptr;
  std::uint64_t opened_at_ = 0;  ///< value of `buffers_sent` when the batch was opened
  reused<relay_batch> all_;
};

class engine;

/// Subtracts `parts` from the unfinished parts of an activity of this PE, because `parts` messages
/// of the activity have been acknowledged. `activity_word` is the address of the activity as an
/// integer.
inline void acknowledged(std::uint64_t activity_word, std::uint64_t parts) {
  if (parts != 0) reinterpret_cast<activity*>(activity_word)->end(static_cast<std::int64_t>(parts));
}

/// When tracked messages and all work that they started are done, acknowledges the messages to
/// their sender.
class acknowledger {
 public:
  acknowledger(engine& messages, int self, remote_activities& remotes)
      : messages_(messages), self_(self), remotes_(remotes) {}

  /// Sends an acknowledgement of the remote activity `done` to the PE that sent its messages, and
  /// releases `done`.
  void send(remote_activity& done);

  /// Acknowledges a remote activity of the calling PE. `remote_activities` calls this function when
  /// the activity becomes idle.
  static void send_from_this_pe(activity& idle);

  void count_received() { ++received_; }

  /// Returns the number of acknowledgements that this PE has sent so far. Termination detection
  /// (termination.hpp) counts acknowledgements like messages, because an acknowledgement can make a
  /// waiting task ready.
  std::uint64_t sent() const { return sent_; }
  /// Returns the number of acknowledgements that this PE has received so far.
  std::uint64_t received() const { return received_; }

 private:
  engine& messages_;
  int self_;
  remote_activities& remotes_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace atl::message
