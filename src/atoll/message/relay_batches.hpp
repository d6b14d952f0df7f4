#pragma once
// What a PE sends on (relay.hpp) belongs to activities of its own, one for all that it has received
// for as long as no buffer has left it: so the next hops see one activity instead of one for each
// sender, and acknowledge once. When all of a batch is done, so are the messages it came from.
//
// A batch that took in messages after some of its own had left could wait for itself: PE A for what
// it has sent to B, B for what it has sent to A, and that for the batch of A. And one message would
// wait for what another one has spawned, which may wait for it: so leaves alone share a batch.

#include "atoll/message/activity.hpp"
#include "atoll/message/reused.hpp"

#include <cstdint>
#include <vector>

namespace atl::message {

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

}  // namespace atl::message
