#pragma once
// A PE executes parts of activities of other PEs, and acknowledges them: what it has received
// belongs to remote activities (activity.hpp), and what it sends on to batches.

#include "atoll/base/memory_account.hpp"
#include "atoll/message/activity.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace atl::message {

/// Objects that are used again and again, and stay where they are. Of one PE, whose account they
/// are on: they are never refused, for what needs one has come already.
template <class T>
class reused {
 public:
  explicit reused(memory_account& account) : account_(account) {}

  /// One that nobody uses, as it was left. Throws std::bad_alloc.
  T& take() {
    if (idle_.empty()) return fresh();
    T& taken = *idle_.back();
    idle_.pop_back();
    return taken;
  }

  /// May be taken again. Must not throw: there is room for all.
  void give_back(T& used) noexcept { idle_.push_back(&used); }

 private:
  static constexpr std::size_t k_cost =
      sizeof(T) + 2 * sizeof(std::size_t) + 2 * sizeof(T*);  // with its block and its places

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

/// The remote activities of one PE, and the section of the buffer in delivery that belongs to one:
/// the messages behind one scope marker (outgoing.hpp).
class remote_activities {
 public:
  /// Outside of sections messages belong to `unscoped`. `on_idle` is called when what the messages
  /// of a section have set off ends after the section.
  remote_activities(activity& unscoped, void (*on_idle)(activity&), memory_account& account);

  /// What follows belongs to this activity of PE `origin`.
  void open_section(int origin, std::uint64_t origin_activity);

  /// Ends the section, if one is open. Returns its remote activity if that is done already, else
  /// null.
  remote_activity* close_section();

  /// Of the section that is open.
  remote_activity& section() { return *open_; }

  /// Counts messages of the section as executed.
  void count_executed(std::uint64_t tracked_messages) { executed_ += tracked_messages; }

  /// For activity_context: what handlers of the section send or spawn belongs to it.
  activity** slot() { return &current_; }

  /// May be used for another section. It has to be done.
  void release(remote_activity& done);

 private:
  activity& unscoped_;
  void (*on_idle_)(activity&);
  activity* current_;
  remote_activity* open_ = nullptr;    ///< of the section, if there is one
  std::uint64_t executed_ = 0;         ///< ever
  std::uint64_t executed_before_ = 0;  ///< when the section began
  reused<remote_activity> all_;
};

// What a PE sends on (runs.hpp) belongs to activities of its own, one for all that it has received
// for as long as no buffer has left it: so the next hops see one activity instead of one for each
// sender, and acknowledge once. When all of a batch is done, so are the messages it came from.
//
// A batch that took in messages after some of its own had left could wait for itself: PE A for what
// it has sent to B, B for what it has sent to A, and that for the batch of A. And one message would
// wait for what another one has spawned, which may wait for it: so leaves alone share a batch.

/// Its parts are what was sent on, and one for as long as the batch is open.
struct relay_batch : activity {
  std::vector<remote_activity*> waiting;  ///< each has one part that ends with the batch
};

class relay_batches {
 public:
  /// `buffers_sent`: by this PE so far; it outlives this. `on_done` is called when a batch is done,
  /// and ends it.
  relay_batches(const std::uint64_t& buffers_sent, void (*on_done)(activity&),
                memory_account& account)
      : buffers_sent_(buffers_sent), on_done_(on_done), all_(account) {}

  /// What messages of `section` send on belongs to this, until the next call of a member. Throws
  /// std::bad_alloc.
  activity& batch_for(remote_activity& section);

  /// A batch of which something may have left takes in nothing more. To be called after deliveries.
  void close();

  /// Ends the parts that wait for the batch, which is done and may be used again.
  void end(relay_batch& done);

 private:
  const std::uint64_t& buffers_sent_;
  void (*on_done_)(activity&);
  relay_batch* open_ = nullptr;
  std::uint64_t opened_at_ = 0;  ///< buffers sent
  reused<relay_batch> all_;
};

class engine;

/// An activity of this PE has had `parts` executed elsewhere. `activity_word` is its address, as it
/// travelled.
inline void acknowledged(std::uint64_t activity_word, std::uint64_t parts) {
  if (parts != 0) reinterpret_cast<activity*>(activity_word)->end(static_cast<std::int64_t>(parts));
}

/// Tells the PE that sent tracked messages that they, and all they set off, are done.
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
