#pragma once
// The state that the PEs of a simulated job share: the agenda, the wires, the source of all times,
// and the digest of all events. All PEs run in one thread, so no access needs synchronisation. A PE
// runs until it calls `poll` or `wait` and the clock of another PE is earlier.

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

/// A hash of a whole schedule. Tests compare digests to find out whether two runs had the same
/// schedule.
class digest {
 public:
  /// Adds an event of `pe` at `time`. The digest also depends on the order of events.
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

/// The PE of a simulated job that dies, and the time of its death (setting sim-kill).
struct kill_plan {
  int pe = -1;
  nanoseconds time = forever;

  /// Parses a text such as "2@150us". An empty text means that no PE dies. Throws `error` (input)
  /// if the text is wrong or the job has no such PE.
  static kill_plan parse(std::string_view text, int pes);
};

/// The accesses of simulated PEs to memory of other PEs. An access happens at its own time, even if
/// no PE runs at that time.
class memory_traffic {
 public:
  using action = std::function<void(nanoseconds time)>;

  /// Schedules `what` for `time`.
  void at(nanoseconds time, action what) { steps_.push({time, made_++, std::move(what)}); }

  /// Returns the number for a new message between nodes. A call of `arrived` with this number
  /// schedules `what` for the time of arrival.
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
  // Larger than all numbers of the class `mail`.
  static constexpr std::uint64_t first_shipment = std::uint64_t{1} << 62;

  struct step {
    nanoseconds time;
    std::uint64_t number;  // orders steps at equal times by their creation
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
  /// `region` contains the segments of the PEs and stores how the job ends.
  world(shm::region& region, const settings& options);

  /// Returns the wire between two PEs of a node. The wire is made when it is first used.
  channel& wire(int source, int destination);

  bool of_one_node(int a, int b) const {
    return nodes.empty() ||
           nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
  }

  shm::region& job;
  /// Reports the death of `pe`. `last_site` is the place where its last task was spawned, as a
  /// `site_word`.
  std::function<void(int pe, std::uint64_t last_site)> say_death;
  /// Announces to the receiver that a message of another node arrives at `time`.
  std::function<void(const shipment& message, nanoseconds time)> deliver;
  /// Makes the waiting PE `pe` poll at `time`, because its memory has changed or an operation has
  /// ended.
  std::function<void(int pe, nanoseconds time)> rouse;
  const std::uint64_t seed;
  const kill_plan kill;
  agenda schedule;
  /// Whether times are computed by the model of a cluster; otherwise they are random.
  const bool modelled;
  const std::vector<int> nodes;  ///< node of each PE; empty if there is one node
  const std::unique_ptr<timing> time;
  const internode::vigilance vigilance;
  /// Number of buffers per pair of PEs of different nodes, or 0 for the default of remote_wire.hpp.
  const std::uint64_t far_buffers_of_pair;
  /// Number of PEs of other nodes to which a PE sends many buffers, at least 1.
  const int far_partners;
  buffer_pool buffers;
  sim::mail mail;
  memory_traffic memory;
  digest history;

 private:
  std::size_t places_of_pair(bool own);

  std::uint64_t buffers_per_pair_;  // setting buffers-per-pair; 0 if the timing decides
  std::size_t pes_of_node_;
  // Wires by source and by the destination's position on its node.
  std::vector<std::unique_ptr<channel>> wires_;
};

}  // namespace atl::transport::sim
