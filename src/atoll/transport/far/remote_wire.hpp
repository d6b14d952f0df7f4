#pragma once
// The wire between PEs of different nodes: network buffers as messages of two sides (MPI, or the
// simulated network), a few under way for each pair.
//
// A sender has a number of credits for each receiver, one a buffer, which come back by a note when
// the receiver has released some, or at once when the sender has none and says so. So no more
// buffers of a pair are under way than it has credits (the layer keeps those without a posted
// receive), and a PE that delivers nothing makes its senders wait. Where peers are many each has
// few credits at first; who asks is granted more, until there are as many in all as memory is set
// aside for. Notes have receives of their own: credits arrive also where a PE takes no buffer for a
// while.

#include "atoll/transport/far/receive_rings.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::transport::far {

/// Where there are several nodes, slots of a pair of PEs of one node: so few that they stay in the
/// cache beside the buffers for others.
inline constexpr std::uint64_t near_buffers_per_pair = 4;

/// The tags of its messages.
inline constexpr int buffer_tag = 1;
inline constexpr int note_tag = 2;

/// What a note between the runtimes of two PEs is about.
enum class note : std::uint32_t { credits, starved, question, answer };

class remote_wire {
 public:
  /// Gets the notes that are not about credits: from whom, about what, with which number.
  using note_handler =
      std::function<void(int from, note what, std::uint32_t number, std::span<const std::byte>)>;

  static constexpr std::size_t note_capacity = 16384 + 256;

  /// `partners` is how many ranks this rank sends many buffers to. Posts the receives.
  /// `buffers_per_pair` as the setting.
  remote_wire(message_layer& layer, int partners, std::uint32_t capacity,
              std::uint64_t buffers_per_pair);

  // As in transport.hpp.
  std::byte* acquire(int to);
  void submit(int to, std::uint32_t bytes);
  delivery poll();
  void release();

  /// What arrives is found by the group from now on, until `drain`.
  void join(receive_group& group) {
    group.add(notes_);
    group.add(buffers_);
  }

  /// Lets the layer work.
  void progress();

  /// Whether `poll` has a buffer, or room was returned that had been refused. That stays so until
  /// `forget_room`, whoever asks in between.
  bool something_arrived(awaited what);
  void forget_room() { room_returned_ = false; }

  /// At most `note_capacity` bytes.
  void send_note(int to, note what, std::uint32_t number, std::span<const std::byte> text);
  void on_note(note_handler handler) { handle_note_ = std::move(handler); }

  /// Collective, when this PE has ended its body: waits until all that is under way to or
  /// from it has arrived, and drops what has arrived here.
  void drain();

  /// What it has given to the layer, notes included.
  const network_traffic& traffic() const { return traffic_; }

  /// What was sent and received here so far, and may let a PE go on: buffers, and notes about
  /// credits.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

  /// Credits have come for what `acquire` refused, and no `wait` has returned for it yet.
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
    slot* filled = nullptr;     ///< acquired last
    std::uint32_t credits = 0;  ///< of this PE for that one
    std::uint32_t granted = 0;  ///< to that one for this PE, in all
    std::uint32_t owed = 0;     ///< of those, what is neither on its way to it nor used
    std::uint32_t sent = 0;     ///< messages of both kinds, modulo 2^32
    std::uint32_t received = 0;
    bool refused = false;
    bool starved = false;  ///< it has no credits, and waits for some
    bool asked = false;    ///< it was told that this PE is
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
  const std::uint32_t credits_;  ///< of each pair at first
  std::uint32_t grants_left_;
  std::unordered_map<int, peer> peers_;  ///< by rank: those that there was anything to or from
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

// A PE that waits for messages of other nodes looks again and again, for nobody rings a bell for
// them: at first whenever it has given its core away, then less and less often between naps.

/// How long a PE keeps looking often. One whose core nobody else needs takes no nap for a while,
/// and then naps that are short beside what it has slept: where PEs wait for each other in a
/// circle, each of them sleeps for the sum of what the naps of all delay, and must not sleep the
/// longer for it.
struct vigilance {
  std::uint64_t looks;  ///< the core is only given away so often, before the first nap
  nanoseconds share;    ///< a nap takes one part in so many of what has been slept
};

inline vigilance vigilance_of(std::uint64_t idle_yields, bool own_core) {
  constexpr std::uint64_t patience_of_owner = 100;
  return own_core ? vigilance{patience_of_owner * idle_yields, 64} : vigilance{idle_yields, 1};
}

class naps {
 public:
  explicit naps(const vigilance& of) : looks_(of.looks), share_(of.share) {}

  /// How long to sleep before the next look; 0: the core is given away once.
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
