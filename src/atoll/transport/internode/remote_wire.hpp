#pragma once
// The wire sends network buffers between PEs of different nodes, as two-sided messages of a message
// layer (MPI or the simulated network). The class `remote_wire` also sends notes. A note is a short
// message of the runtime, such as a message about flow control.
//
// The flow of buffers is controlled by credits. A sender has a number of credits for each receiver,
// and the sending of a buffer takes one credit. The receiver returns the credits of released
// buffers by a note. The note is sent when about half of the sender's credits can be returned, or
// at once if the sender has asked for credits. If a receiver releases no buffers, its senders run
// out of credits and must wait (back-pressure). A PE with many peers gives each peer few credits at
// first. If a peer asks for credits, the PE grants the peer more credits, as long as memory for
// buffers is left. Notes have receives of their own, so that credits arrive even while a PE
// receives no buffers.

#include "atoll/transport/internode/receive_rings.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::transport::internode {

/// Number of buffers from each PE to each PE of the same node, in a job of several nodes. The
/// number is small, so that the buffers for the same node and for other nodes together fit into the
/// cache.
inline constexpr std::uint64_t near_buffers_per_pair = 4;

/// The tags of messages with buffers and with notes.
inline constexpr int buffer_tag = 1;
inline constexpr int note_tag = 2;

/// The topic of a note: returned credits, a request for credits, or a question or answer of the
/// hang watch.
enum class note : std::uint32_t { credits, starved, question, answer };

class remote_wire {
 public:
  /// Type of the function that handles received notes about other topics than credits. The
  /// arguments are the sender, the topic, the number and the text of the note.
  using note_handler =
      std::function<void(int from, note what, std::uint32_t number, std::span<const std::byte>)>;

  static constexpr std::size_t note_capacity = 16384 + 256;

  /// Posts the receives for buffers and notes. The parameter `partners` is the number of ranks to
  /// which this rank sends many buffers. The parameter `capacity` is the size of a buffer in bytes.
  /// The parameter `buffers_per_pair` is the value of the setting `buffers-per-pair`.
  remote_wire(message_layer& layer, int partners, std::uint32_t capacity,
              std::uint64_t buffers_per_pair);

  // The functions `acquire`, `submit`, `poll` and `release` work like those of `endpoint`
  // (transport.hpp), but only for PEs of other nodes.
  std::byte* acquire(int to);
  void submit(int to, std::uint32_t bytes);
  delivery poll();
  void release();

  /// Adds the receives of this wire to `group`. The group then finds arriving messages for the wire
  /// until `drain` is called.
  void join(receive_group& group) {
    group.add(notes_);
    group.add(buffers_);
  }

  /// Processes notes that have arrived. If `acquire` has returned null for a receiver, checks
  /// whether a buffer for this receiver is free now.
  void progress();

  /// Returns true if `wait` should return: because `poll` has a buffer, or because a buffer has
  /// become free after `acquire` returned null. A freed buffer remains a reason to return until
  /// `forget_room` is called.
  bool something_arrived(awaited what);
  void forget_room() { room_returned_ = false; }

  /// Sends a note to the rank `to`. The text of the note must have at most `note_capacity` bytes.
  void send_note(int to, note what, std::uint32_t number, std::span<const std::byte> text);
  void on_note(note_handler handler) { handle_note_ = std::move(handler); }

  /// Waits until all messages in flight to or from this PE have arrived. Messages that arrive at
  /// this PE during the call are discarded. All PEs must call this function when their part of the
  /// job has ended.
  void drain();

  /// Returns the number of messages and bytes sent so far, including notes.
  const network_traffic& traffic() const { return traffic_; }

  /// The functions `sent` and `received` return how many messages this PE has sent and received so
  /// far. Only buffers and notes about credits are counted, because other messages cannot let a
  /// waiting PE continue.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

  /// Returns true if `acquire` has returned null since the last return of `wait`, and this PE can
  /// now send again.
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
    /// The slot that `acquire` has returned last.
    slot* filled = nullptr;
    /// Number of buffers that this PE may still send to the peer.
    std::uint32_t credits = 0;
    /// Total credits that the peer has for sending to this PE.
    std::uint32_t granted = 0;
    /// Credits that this PE has to return to the peer.
    std::uint32_t owed = 0;
    /// Number of buffers and notes that this PE has sent to the peer, modulo 2^32.
    std::uint32_t sent = 0;
    std::uint32_t received = 0;
    bool refused = false;
    /// True if the peer has used up its credits and has asked this PE for more.
    bool starved = false;
    /// True if this PE has used up its credits and has asked the peer for more.
    bool asked = false;
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
  const std::uint32_t credits_;  ///< initial number of credits of a sender for a receiver
  std::uint32_t grants_left_;
  /// State of each rank with which this PE has exchanged messages. The rank is the key of the map.
  std::unordered_map<int, peer> peers_;
  receive_ring buffers_;
  receive_ring notes_;
  int delivered_from_ = -1;
  std::vector<int> refused_;
  std::deque<sent_note> sent_notes_;
  note_handler handle_note_;
  bool room_returned_ = false;
  bool draining_ = false;  ///< true after a call of `drain`; this PE then returns no credits
  network_traffic traffic_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

// A PE that waits for messages of other nodes must poll, because MPI does not wake a sleeping PE.
// At first, the PE yields its core between polls. Later, the PE sleeps between polls. The sleeps,
// called naps, become longer and longer.

/// Parameters of the backoff of a polling PE. A PE with a core of its own polls for a long time
/// before its first nap. Each nap of a PE with a core of its own is a small fraction of the time
/// napped so far. The fraction must be small: if PEs wait for each other in a cycle, their delays
/// add up.
struct vigilance {
  /// Number of polls before the first nap, with a yield after each.
  std::uint64_t looks;
  /// A nap lasts 1/`share` of the time napped so far, but at least 20 us and at most 500 us.
  nanoseconds share;
};

inline vigilance vigilance_of(std::uint64_t idle_yields, bool own_core) {
  constexpr std::uint64_t patience_of_owner = 100;
  return own_core ? vigilance{patience_of_owner * idle_yields, 64} : vigilance{idle_yields, 1};
}

class naps {
 public:
  explicit naps(const vigilance& of) : looks_(of.looks), share_(of.share) {}

  /// Returns how long, in ns, the PE should nap before its next poll. If the result is 0, the PE
  /// should instead yield its core once.
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

}  // namespace atl::transport::internode
