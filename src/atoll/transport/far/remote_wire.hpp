#pragma once
// The wire between PEs of different nodes. Network buffers travel as two-sided messages (MPI, or
// the simulated network), with a few in flight per pair.
//
// Flow control is by credits, one per buffer. A sender has a number of credits for each receiver. A
// note returns credits when the receiver has released some, or at once when a sender without
// credits asks. No more buffers of a pair are in flight than it has credits; the layer keeps those
// without a posted receive. A PE that delivers nothing thus applies back-pressure to its senders.
// With many peers each has few credits at first. A peer that asks is granted more, until all memory
// set aside for buffers is granted. Notes have receives of their own, so credits arrive even while
// a PE takes no buffers.

#include "atoll/transport/far/receive_rings.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::transport::far {

/// Slots per pair of PEs of one node, in a job of several nodes. They are few, to stay in the cache
/// beside the buffers for other nodes.
inline constexpr std::uint64_t near_buffers_per_pair = 4;

/// Tags of the messages of this wire.
inline constexpr int buffer_tag = 1;
inline constexpr int note_tag = 2;

/// Topic of a note between the runtimes of two PEs.
enum class note : std::uint32_t { credits, starved, question, answer };

class remote_wire {
 public:
  /// Receives the notes that are not about credits: sender, topic, number and text.
  using note_handler =
      std::function<void(int from, note what, std::uint32_t number, std::span<const std::byte>)>;

  static constexpr std::size_t note_capacity = 16384 + 256;

  /// Posts the receives. `partners` is the number of ranks to which this rank sends many buffers.
  /// `buffers_per_pair` is the value of the setting.
  remote_wire(message_layer& layer, int partners, std::uint32_t capacity,
              std::uint64_t buffers_per_pair);

  // The next four functions are those of endpoint (transport.hpp), for PEs of other nodes.
  std::byte* acquire(int to);
  void submit(int to, std::uint32_t bytes);
  delivery poll();
  void release();

  /// Lets `group` find the messages that arrive, until `drain`.
  void join(receive_group& group) {
    group.add(notes_);
    group.add(buffers_);
  }

  /// Lets the layer make progress.
  void progress();

  /// Returns whether `poll` has a buffer, or refused room was returned. The latter stays true until
  /// `forget_room`, even if other calls come in between.
  bool something_arrived(awaited what);
  void forget_room() { room_returned_ = false; }

  /// Sends a note with at most `note_capacity` bytes of text.
  void send_note(int to, note what, std::uint32_t number, std::span<const std::byte> text);
  void on_note(note_handler handler) { handle_note_ = std::move(handler); }

  /// Waits until everything in flight to or from this PE has arrived, and drops what has arrived
  /// here. Collective; call this when this PE has ended its body.
  void drain();

  /// Traffic given to the layer, notes included.
  const network_traffic& traffic() const { return traffic_; }

  /// Number of messages sent and received here so far that may let a PE continue: buffers, and
  /// notes about credits.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

  /// Returns whether credits have come for room that `acquire` refused, and no `wait` has returned
  /// for them yet.
  bool has_new_room() const;

 private:
  struct note_header {
    note what;
    std::uint32_t number;
  };
  struct slot {
    aligned_bytes bytes;
    message_request request{};
    bool busy = false;
  };
  struct peer {
    std::vector<slot> slots;
    slot* filled = nullptr;     ///< slot acquired last
    std::uint32_t credits = 0;  ///< of this PE, for sending to the peer
    std::uint32_t granted = 0;  ///< total granted to the peer for sending to this PE
    std::uint32_t owed = 0;     ///< of those, neither used nor on their way to the peer
    std::uint32_t sent = 0;     ///< messages of both kinds, modulo 2^32
    std::uint32_t received = 0;
    bool refused = false;
    bool starved = false;  ///< the peer has no credits, and waits for some
    bool asked = false;    ///< the peer was told that this PE has none
  };
  struct sent_note {
    std::vector<std::byte> bytes;
    message_request request{};
  };

  peer& peer_of(int rank);
  bool is_free(slot& of);
  slot* free_slot(peer& to);
  void start(int to, const std::byte* data, std::size_t bytes, int tag, message_request& request);
  void take_notes();
  void take_note(const delivery& arrived);
  void grant_more(peer& sender);
  void return_credits(int to);
  void look_for_room();
  void forget_sent_notes();
  bool has_drained(const std::vector<std::uint32_t>& sent_here);
  bool is_sent(peer& to);
  void drop_arrived();

  message_layer& layer_;
  const std::uint32_t capacity_;
  const std::uint32_t credits_;  ///< per pair at first
  std::uint32_t grants_left_;
  std::unordered_map<int, peer> peers_;  ///< by rank: peers with any traffic so far
  receive_ring buffers_;
  receive_ring notes_;
  int delivered_from_ = -1;
  std::vector<int> refused_;
  std::deque<sent_note> sent_notes_;
  note_handler handle_note_;
  bool room_returned_ = false;
  bool draining_ = false;  ///< nothing more is sent
  network_traffic traffic_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

// A PE that waits for messages of other nodes must poll, because no doorbell rings for them. At
// first it looks each time it has yielded its core, then less and less often between naps.

/// Backoff of a polling PE. A PE with a core of its own polls for a while, then sleeps for a small
/// fraction of the time slept so far. The fraction must be small: when PEs wait for each other in a
/// cycle, their delays add up.
struct vigilance {
  std::uint64_t looks;  ///< number of yields before the first nap
  nanoseconds share;    ///< a nap lasts 1/`share` of the time slept so far
};

inline vigilance vigilance_of(std::uint64_t idle_yields, bool own_core) {
  constexpr std::uint64_t patience_of_owner = 100;
  return own_core ? vigilance{patience_of_owner * idle_yields, 64} : vigilance{idle_yields, 1};
}

class naps {
 public:
  explicit naps(const vigilance& of) : looks_(of.looks), share_(of.share) {}

  /// Returns how long to sleep before the next look; 0: yield the core once.
  nanoseconds next() {
    if (looks_ > 0) return --looks_, 0;
    const nanoseconds nap = std::clamp(slept_ / share_, shortest, longest);
    slept_ += nap;
    return nap;
  }

 private:
  static constexpr nanoseconds shortest = 20'000;
  static constexpr nanoseconds longest = 500'000;

  std::uint64_t looks_;
  nanoseconds share_;
  nanoseconds slept_ = 0;
};

}  // namespace atl::transport::far
