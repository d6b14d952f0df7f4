#pragma once
// State shared by the PEs of a simulated job. It has the next PE to run, the wires, the source of
// all times, and the digest of all events. All PEs are in one thread, so no access needs
// synchronisation. A PE runs until it calls `poll` or `wait` and another PE is earlier.

#include "atoll/random.hpp"
#include "atoll/transport/far/remote_wire.hpp"
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

/// A number for a whole schedule: equal for equal schedules, and in practice for no others.
class digest {
 public:
  /// Adds an event of this PE at this time. The order of events counts.
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

/// Which PE of a simulated job dies, and when (setting sim-kill).
struct kill_plan {
  int pe = -1;
  nanoseconds time = forever;

  /// Parses "2@150us"; "" means no PE. Throws `error` (input), also for a PE that the job does not
  /// have.
  static kill_plan parse(std::string_view text, int pes);
};

/// Traffic between PEs and the memory of others in a simulated job. Its steps happen at times of
/// their own, whatever the PEs do.
class memory_traffic {
 public:
  using action = std::function<void(nanoseconds time)>;

  /// Lets `what` happen at `time`.
  void at(nanoseconds time, action what) { steps_.push({time, made_++, std::move(what)}); }

  /// Returns the number of a new shipment. `what` happens when `arrived` is called with that
  /// number.
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
  static constexpr std::uint64_t first_shipment = std::uint64_t{1} << 62;  // beyond those of mail

  struct step {
    nanoseconds time;
    std::uint64_t number;  // orders equal times by creation
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
  /// `region` provides the PEs' segments, and stores how the job ends.
  world(shm::region& region, const settings& options);

  /// Returns the wire between two PEs of a node, which is made when first used.
  channel& wire(int source, int destination);

  bool of_one_node(int a, int b) const {
    return nodes.empty() ||
           nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
  }

  shm::region& job;
  /// Reports the death of a PE: its number, and the last site that it noted.
  std::function<void(int pe, std::uint64_t last_site)> say_death;
  /// Announces to a PE that a message of another node arrives.
  std::function<void(const shipment& message, nanoseconds time)> deliver;
  /// Lets a waiting PE look at `time`, because its memory has changed or an operation has ended.
  std::function<void(int pe, nanoseconds time)> rouse;
  const std::uint64_t seed;
  const kill_plan kill;
  agenda schedule;
  const bool modelled;           ///< by a cluster model; otherwise times are random
  const std::vector<int> nodes;  ///< node of each PE; empty if there is one node
  const std::unique_ptr<timing> time;
  const far::vigilance vigilance;
  /// Buffers per pair of PEs of different nodes; 0: the wire decides.
  const std::uint64_t far_buffers_of_pair;
  const int far_partners;  ///< per PE; at least 1
  buffer_pool buffers;
  sim::mail mail;
  memory_traffic memory;
  digest history;

 private:
  std::size_t places_of_pair(bool own);

  std::uint64_t buffers_per_pair_;  // 0: drawn at random
  std::size_t pes_of_node_;
  std::vector<std::unique_ptr<channel>> wires_;  // by source and the destination's place
};

}  // namespace atl::transport::sim
