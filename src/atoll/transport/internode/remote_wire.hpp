#pragma once
// The wire between PEs of different nodes. The wire sends network buffers as two-sided messages of
// a message layer (MPI or the simulated network). A note is a short message between the runtimes of
// two PEs.
//
// Credits control the flow. A sender has a number of credits for each receiver, and sending a
// buffer takes one credit. The receiver returns credits by a note: when it has released about half
// of them, or at once if the sender asks for credits. At most as many buffers of a pair are in
// flight as the sender had credits, so a PE that releases no buffers exerts back-pressure. If a PE
// has many peers, each peer has few credits at first. A peer that asks is granted more, until all
// memory for buffers is granted. Notes have receives of their own, so credits arrive even while a
// PE receives no buffers.

#include "atoll/transport/internode/receive_rings.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::transport::internode {

/// Number of buffers per pair of PEs of one node, in a job of several nodes. The number is small,
/// so that these buffers stay in the cache together with the buffers for other nodes.
inline constexpr std::uint64_t near_buffers_per_pair = 4;

/// The tags of messages with buffers and with notes.
inline constexpr int buffer_tag = 1;
inline constexpr int note_tag = 2;

/// The topic of a note.
enum class note : std::uint32_t { credits, starved, question, answer };

class remote_wire {
 public:
  /// The function that receives notes about other topics than credits. The arguments are the
  /// sender, the topic, the number and the text of the note.
  using note_handler =
      std::function<void(int from, note what, std::uint32_t number, std::span<const std::byte>)>;

  static constexpr std::size_t note_capacity = 16384 + 256;

  /// Posts the receives for buffers and notes. `partners` is the number of ranks to which this rank
  /// sends many buffers. `capacity` is the size of a buffer in bytes. `buffers_per_pair` is the
  /// value of the setting of this name.
  remote_wire(message_layer& layer, int partners, std::uint32_t capacity,
              std::uint64_t buffers_per_pair);

  // The next four functions have the meaning of the functions of `endpoint` (transport.hpp), for
  // PEs of other nodes.
  std::byte* acquire(int to);
  void submit(int to, std::uint32_t bytes);
  delivery poll();
  void release();

  /// Adds the receives of this wire to `group`, which then finds arriving messages until `drain` is
  /// called.
  void join(receive_group& group) {
    group.add(notes_);
    group.add(buffers_);
  }

  /// Processes notes that have arrived, and looks for free buffers for which `acquire` has returned
  /// null.
  void progress();

  /// Returns whether `wait` should return, because `poll` has a buffer or because a buffer has
  /// become free after `acquire` returned null. The second reason holds until `forget_room` is
  /// called.
  bool something_arrived(awaited what);
  void forget_room() { room_returned_ = false; }

  /// Sends the rank `to` a note. `text` has at most `note_capacity` bytes.
  void send_note(int to, note what, std::uint32_t number, std::span<const std::byte> text);
  void on_note(note_handler handler) { handle_note_ = std::move(handler); }

  /// Waits until all messages in flight to or from this PE have arrived, and discards the messages
  /// that arrive here. All PEs must call this when their part of the job has ended.
  void drain();

  /// Returns the number of messages and bytes sent so far, including notes.
  const network_traffic& traffic() const { return traffic_; }

  /// `sent` and `received` return how many messages this PE has sent and received so far. Only
  /// messages that may let a waiting PE continue are counted: buffers, and notes about credits.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

  /// Returns whether this PE can send again after `acquire` has returned null, and `wait` has not
  /// yet returned for this reason.
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
    slot* filled = nullptr;     ///< the slot that `acquire` has returned last
    std::uint32_t credits = 0;  ///< number of buffers that this PE may still send to the peer
    std::uint32_t granted = 0;  ///< total credits that the peer has for sending to this PE
    std::uint32_t owed = 0;     ///< credits that this PE has to return to the peer
    std::uint32_t sent = 0;     ///< number of buffers and notes sent to the peer, modulo 2^32
    std::uint32_t received = 0;
    bool refused = false;
    bool starved = false;  ///< the peer has no credits and has asked for some
    bool asked = false;    ///< this PE has no credits and has asked the peer for some
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
  const std::uint32_t credits_;  ///< credits of each pair at first
  std::uint32_t grants_left_;
  std::unordered_map<int, peer> peers_;  ///< peers with any traffic so far, by rank
  receive_ring buffers_;
  receive_ring notes_;
  int delivered_from_ = -1;
  std::vector<int> refused_;
  std::deque<sent_note> sent_notes_;
  note_handler handle_note_;
  bool room_returned_ = false;
  bool draining_ = false;  ///< `drain` was called, so no more notes are sent
  network_traffic traffic_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

// A PE that waits for messages of other nodes must poll, because such messages do not wake it. At
// first the PE yields its core between polls. Later the PE naps between polls, longer and longer.

/// The backoff of a polling PE. A PE with a core of its own polls for a while. After that, each nap
/// is a small fraction of the time napped so far. The fraction must be small, because the delays of
/// PEs that wait for each other in a cycle add up.
struct vigilance {
  std::uint64_t looks;  ///< number of polls with a yield before the first nap
  nanoseconds share;    ///< a nap lasts 1/`share` of the time napped so far, between 20 and 500 us
};

inline vigilance vigilance_of(std::uint64_t idle_yields, bool own_core) {
  constexpr std::uint64_t patience_of_owner = 100;
  return own_core ? vigilance{patience_of_owner * idle_yields, 64} : vigilance{idle_yields, 1};
}

class naps {
 public:
  explicit naps(const vigilance& of) : looks_(of.looks), share_(of.share) {}

  /// Returns how many ns the PE should nap before its next poll. The result 0 means that the PE
  /// should yield its core once instead.
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
