#pragma once
// Cores that PEs of all nodes share, as hosts do that are namespaces of one machine. Each PE has
// its place on one of them, in turn by rank: who waits gives its core away again and again, but
// looks busy, so that the system moves nobody to it. Where the cores have not equally many PEs,
// those are moved on now and then. Who has a core keeps it until it waits or ends, or until a tick
// of the system finds that others of its place want it; what it does between two looks is not
// divided.

#include "atoll/transport/sim/timing.hpp"

#include <algorithm>
#include <deque>
#include <vector>

namespace atl::transport::sim {

class cores {
 public:
  /// `count` cores for so many PEs, with a tick every so many nanoseconds, that take `change` to go
  /// over to another PE; 0: each PE has its own.
  cores(std::size_t count, int pes, nanoseconds tick, nanoseconds change)
      : cores_(count), pes_(pes), tick_(std::max<nanoseconds>(tick, 1)), change_(change) {}

  /// The time of a PE that has its core now; else when it has it, or has to ask again.
  nanoseconds ask(moment at);

  void give_away(moment at);

 private:
  struct waiting {
    int pe;
    nanoseconds since;
  };
  struct core {
    int holder = nobody;
    int last = nobody;      // who has it or had it
    nanoseconds since = 0;  // it has it, or nobody has
    std::deque<waiting> queue;
  };

  static constexpr int nobody = -1;
  static constexpr nanoseconds between_questions = 1'000;

  // Of three processes that are always busy on two cores one is moved every 90 ms.
  static constexpr nanoseconds between_moves = 90'000'000;

  core& place_of(moment at);
  core* held_by(int pe);
  bool is_over(const core& turn, nanoseconds now) const;
  void wait_at(core& place, moment at);
  nanoseconds take(core& free, moment at) const;

  std::vector<core> cores_;
  int pes_;
  nanoseconds tick_;
  nanoseconds change_;
};

}  // namespace atl::transport::sim
