#pragma once
// This file defines the state that the PEs of a simulated job share. The state consists of the
// agenda (which PE runs next), the connections between PEs, the source of all times, and a hash of
// all events. All PEs run in one thread, so no access needs synchronisation. Each PE has its own
// virtual time. A PE runs until it calls `poll` or `wait` while another PE has an earlier virtual
// time.

#include "atoll/random.hpp"
#include "atoll/transport/internode/remote_wire.hpp"
#include "atoll/transport/shm/region.hpp"
#include "atoll/transport/sim/agenda.hpp"
#include "atoll/transport/sim/channel.hpp"
#include "atoll/transport/sim/timing.hpp"
#include "atoll/transport/transport.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace atl::transport::sim {

/// A hash of all events of a simulation. Tests compare digests to find out whether two runs had the
/// same events in the same order.
class digest {
 public:
  /// Adds an event of the PE `pe` at the time `time`. The digest also depends on the order of the
  /// calls.
  void add(char event, int pe, std::int64_t time, std::uint64_t detail = 0) noexcept {
    add(static_cast<std::uint64_t>(event) << 32 | static_cast<std::uint32_t>(pe));
    add(static_cast<std::uint64_t>(time));
    add(detail);
  }

  std::uint64_t value() const noexcept { return value_; }

 private:
  void add(std::uint64_t word) noexcept {
    value_ = hash(value_ + 0x9e3779b97f4a7c15u) ^ hash(~word);
  }

  std::uint64_t value_ = 0;
};

/// Which PE of a simulated job dies, and when (setting `sim-kill`).
struct kill_plan {
  int pe = -1;
  nanoseconds time = forever;

  /// Parses a text such as "2@150us". An empty text means that no PE dies. Throws `error` (input)
  /// if the text is wrong, or if the text names a PE that the job does not have.
  static kill_plan parse(std::string_view text, int pes);
};

/// The scheduled accesses of simulated PEs to memory of other PEs. Each access has a time of its
/// own, and happens even if no PE runs at that time.
class memory_traffic {
 public:
  using action = std::function<void(nanoseconds time)>;

  /// Schedules the function `what` for the time `time`.
  void at(nanoseconds time, action what) { steps_.push({time, made_++, std::move(what)}); }

  /// Returns a number for a new message between nodes. When the arrival time is known, the caller
  /// passes the number to `arrived`, which schedules `what` for that time.
  std::uint64_t travels(action what) {
    shipped_.emplace(first_shipment + made_, std::move(what));
    return first_shipment + made_++;
  }
  static bool carries(std::uint64_t shipment) { return shipment >= first_shipment; }
  void arrived(std::uint64_t shipment, nanoseconds time) {
    auto found = shipped_.extract(shipment);
    at(time, std::move(found.mapped()));
  }

  nanoseconds next_step() const { return steps_.empty() ? forever : steps_.top().time; }
  void take_step() {
    const step next = std::move(const_cast<step&>(steps_.top()));
    steps_.pop();
    next.what(next.time);
  }

 private:
  // Smallest number that this class gives to a message between nodes. The number is larger than all
  // numbers of the class `mail`, so that messages of the two classes can be told apart.
  static constexpr std::uint64_t first_shipment = std::uint64_t{1} << 62;

  struct step {
    nanoseconds time;
    std::uint64_t number;  // if times are equal, the smaller number comes first
    action what;

    friend bool operator>(const step& a, const step& b) {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  std::priority_queue<step, std::vector<step>, std::greater<>> steps_;
  std::unordered_map<std::uint64_t, action> shipped_;
  std::uint64_t made_ = 0;
};

struct world {
  /// Makes the state of a job for the PEs of `region`. The region contains the segments of the PEs,
  /// and stores how the job ends.
  world(shm::region& region, const settings& options);

  /// Returns the wire from `source` to `destination`, which must be PEs of one node. The first call
  /// for two PEs makes their wire.
  channel& wire(int source, int destination);

  bool of_one_node(int a, int b) const {
    return nodes.empty() ||
           nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
  }

  shm::region& job;
  /// A function that reports the death of `pe`. The argument `last_site` is the source line that
  /// spawned the last task of the PE, as a `site_word`.
  std::function<void(int pe, std::uint64_t last_site)> say_death;
  /// A function that tells the receiver that a message from another node arrives at `time`.
  std::function<void(const shipment& message, nanoseconds time)> deliver;
  /// A function that makes the waiting PE `pe` poll at `time`. The function is called if the memory
  /// of the PE has changed or an operation of the PE has ended.
  std::function<void(int pe, nanoseconds time)> rouse;
  const std::uint64_t seed;
  const kill_plan kill;
  agenda schedule;
  /// True if times are computed by the model of a cluster, and false if times are random.
  const bool modelled;
  const std::vector<int> nodes;  ///< node number of each PE; empty if there is one node
  const std::unique_ptr<timing> time;
  const internode::vigilance vigilance;
  /// Number of buffers from a PE to a PE of another node. The value 0 means the default of
  /// remote_wire.hpp.
  const std::uint64_t far_buffers_of_pair;
  /// Number of PEs of other nodes to which a PE sends many buffers. The value is at least 1.
  const int far_partners;
  buffer_pool buffers;
  sim::mail mail;
  memory_traffic memory;
  digest history;

 private:
  std::size_t places_of_pair(bool own);

  std::uint64_t buffers_per_pair_;  // the setting `buffers-per-pair`; 0 if `timing` decides
  std::size_t pes_of_node_;
  // The wires, by source and by the destination's position on its node.
  std::vector<std::unique_ptr<channel>> wires_;
};

}  // namespace atl::transport::sim
