#pragma once
// A PE executes parts of other PEs' activities and acknowledges them. Messages that it has received
// belong to remote activities (activity.hpp), and messages that it relays belong to batches.

#include "atoll/base/memory_account.hpp"
#include "atoll/message/activity.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace atl::message {

/// An object pool of one PE; objects keep their addresses. Objects count on the PE's memory account
/// and are never refused, because the message that needs one has arrived already.
template <class T>
class reused {
 public:
  explicit reused(memory_account& account) : account_(account) {}

  /// Returns an unused object, in the state in which it was given back. Throws std::bad_alloc.
  T& take() {
    if (idle_.empty()) return fresh();
    T& taken = *idle_.back();
    idle_.pop_back();
    return taken;
  }

  /// Returns an object to the pool. Must not throw: memory is reserved for all.
  void give_back(T& used) noexcept { idle_.push_back(&used); }

 private:
  static constexpr std::size_t k_cost =
      sizeof(T) + 2 * sizeof(std::size_t) + 2 * sizeof(T*);  // with its block and entries

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

/// The remote activities of one PE. While a buffer is delivered, a section of it belongs to one of
/// them: the messages behind one scope marker (outgoing.hpp).
class remote_activities {
 public:
  /// Messages outside of sections belong to `unscoped`. `on_idle` is called when everything that a
  /// section has set off ends after the section itself.
  remote_activities(activity& unscoped, void (*on_idle)(activity&), memory_account& account);

  /// Opens a section: the next messages belong to this activity of PE `origin`.
  void open_section(int origin, std::uint64_t origin_activity);

  /// Ends the section, if one is open. Returns its remote activity if that is done already, else
  /// null.
  remote_activity* close_section();

  /// Returns the remote activity of the open section.
  remote_activity& section() { return *open_; }

  /// Counts messages of the section as executed.
  void count_executed(std::uint64_t tracked_messages) { executed_ += tracked_messages; }

  /// Address for activity_context: messages and tasks of the section's handlers belong to its
  /// activity.
  activity** slot() { return &current_; }

  /// Releases a remote activity that is done, for use by another section.
  void release(remote_activity& done);

 private:
  activity& unscoped_;
  void (*on_idle_)(activity&);
  activity* current_;
  remote_activity* open_ = nullptr;    ///< of the open section; null: none is open
  std::uint64_t executed_ = 0;         ///< messages executed so far
  std::uint64_t executed_before_ = 0;  ///< `executed_` when the section began
  reused<remote_activity> all_;
};

// Relayed leaf messages (runs.hpp) belong to a batch, an activity of the relaying PE. A batch takes
// in all leaves that the PE receives until a buffer leaves it. The next hops then see one activity
// instead of one per sender, and acknowledge once. When all of a batch is done, so are the messages
// that it came from.
//
// A batch must not accept messages after part of it was sent. Otherwise PE A waits for B, B waits
// for A's batch, and the cycle never completes. Only leaves share a batch. Any other message could
// wait for something that another message of the batch has spawned, and which waits for the batch.

/// A batch of relayed messages. Its parts are those messages, and one more for as long as it is
/// open.
struct relay_batch : activity {
  std::vector<remote_activity*> waiting;  ///< each has one part that ends with the batch
};

class relay_batches {
 public:
  /// `buffers_sent` counts the buffers this PE has sent and must outlive this object. `on_done` is
  /// called when a batch is done, and must call `end`.
  relay_batches(const std::uint64_t& buffers_sent, void (*on_done)(activity&),
                memory_account& account)
      : buffers_sent_(buffers_sent), on_done_(on_done), all_(account) {}

  /// Returns the batch that relayed messages of `section` belong to, until the next call of a
  /// member. Throws std::bad_alloc.
  activity& batch_for(remote_activity& section);

  /// Closes the open batch if part of it may have been sent. Call this after deliveries.
  void close();

  /// Ends the parts that wait for a batch that is done, and releases the batch for another use.
  void end(relay_batch& done);

 private:
  const std::uint64_t& buffers_sent_;
  void (*on_done_)(activity&);
  relay_batch* open_ = nullptr;
  std::uint64_t opened_at_ = 0;  ///< value of `buffers_sent` when the batch was opened
  reused<relay_batch> all_;
};

class engine;

/// Ends `parts` parts of an activity of this PE that were executed elsewhere. `activity_word` is
/// the activity's address as sent in messages.
inline void acknowledged(std::uint64_t activity_word, std::uint64_t parts) {
  if (parts != 0) reinterpret_cast<activity*>(activity_word)->end(static_cast<std::int64_t>(parts));
}

/// Acknowledges tracked messages to their sender once they, and everything they set off, are done.
class acknowledger {
 public:
  acknowledger(engine& messages, int self, remote_activities& remotes)
      : messages_(messages), self_(self), remotes_(remotes) {}

  /// Acknowledges the remote activity to its origin, and releases it.
  void send(remote_activity& done);

  /// Acknowledges a remote activity of the PE of this thread; `remote_activities` calls this.
  static void send_from_this_pe(activity& idle);

  void count_received() { ++received_; }

  /// Returns the number of acknowledgements that this PE has sent and received so far. Like
  /// messages they may set something off, because a task that waits for them continues.
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
