#pragma once
// What the PEs of a simulated job share: which PE runs next, the wires between them, what decides
// their times, and the digest of all that happens. All PEs are in one thread, so nothing here is
// shared in the usual sense; a PE runs until it calls `poll` or `wait` and another one is earlier.

#include "atoll/transport/far/naps.hpp"
#include "atoll/transport/shm/region.hpp"
#include "atoll/transport/sim/agenda.hpp"
#include "atoll/transport/sim/buffer_pool.hpp"
#include "atoll/transport/sim/channel.hpp"
#include "atoll/transport/sim/digest.hpp"
#include "atoll/transport/sim/kill_plan.hpp"
#include "atoll/transport/sim/mail.hpp"
#include "atoll/transport/sim/memory_traffic.hpp"
#include "atoll/transport/sim/timing.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace atl::transport::sim {

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
