#pragma once
// What the PEs of a simulated job share: which PE runs next, the wires between them, what decides
// their times, and the digest of all that happens. All PEs are in one thread, so nothing here is
// shared in the usual sense; a PE runs until it calls `poll` or `wait` and another one is earlier.

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

/// One number for a whole schedule: equal for equal schedules, and in practice for no others.
class digest {
 public:
  /// Something happened, to this PE, at this time. The order counts.
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

/// The setting sim-kill: which PE of a simulated job dies, and when.
struct kill_plan {
  int pe = -1;
  nanoseconds time = forever;

  /// "2@150us"; "" is nobody. Throws `error` (input), also for a PE the job has not.
  static kill_plan parse(std::string_view text, int pes);
};

/// What is under way between PEs and the memory of others, in a simulated job: steps that happen at
/// times of their own, whatever the PEs do.
class memory_traffic {
 public:
  using action = std::function<void(nanoseconds time)>;

  /// `what` happens at `time`.
  void at(nanoseconds time, action what) { steps_.push({time, made_++, std::move(what)}); }

  /// The number of a shipment that `arrived` will be told of, and that lets `what` happen.
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
    std::uint64_t number;  // equal times go in the order they were made
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
  /// `region` gives the PEs their segments, and keeps how the job ends.
  world(shm::region& region, const settings& options);

  /// The wire between two PEs of a node, made when it is first used.
  channel& wire(int source, int destination);

  bool of_one_node(int a, int b) const {
    return nodes.empty() ||
           nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
  }

  shm::region& job;
  /// Says how a PE has died: its number, and what it noted as its last site.
  std::function<void(int pe, std::uint64_t last_site)> say_death;
  /// Tells a PE when a message of another node arrives.
  std::function<void(const shipment& message, nanoseconds time)> deliver;
  /// Lets a PE that waits look at `time`: its memory has changed, or an operation has ended.
  std::function<void(int pe, nanoseconds time)> rouse;
  const std::uint64_t seed;
  const kill_plan kill;
  agenda schedule;
  const bool modelled;           ///< a cluster; else chance decides
  const std::vector<int> nodes;  ///< of the PEs; empty where there is one
  const std::unique_ptr<timing> time;
  const far::vigilance vigilance;
  /// Of a pair of PEs of different nodes; 0: as many as the wire finds right.
  const std::uint64_t far_buffers_of_pair;
  const int far_partners;  ///< of a PE; 1 at least
  buffer_pool buffers;
  sim::mail mail;
  memory_traffic memory;
  digest history;

 private:
  std::size_t places_of_pair(bool own);

  std::uint64_t buffers_per_pair_;  // 0: drawn
  std::size_t pes_of_node_;
  std::vector<std::unique_ptr<channel>> wires_;  // by source and place of the destination
};

}  // namespace atl::transport::sim
