#pragma once
// The model of a cluster: time passes by what the PEs count, at the prices of model.def, and by
// what the network takes. Nothing is left to chance.

#include "atoll/observe/counters.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/sim/timing.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <span>
#include <string_view>
#include <vector>

namespace atl::transport::sim {

// The model has parameters, as they stand in model.def, and as the settings change them.

using picoseconds = std::int64_t;
inline constexpr picoseconds per_nanosecond = 1000;

/// What one more of something counted costs: time of the processor, lines touched at random, and
/// bytes between its node's memory and it.
struct price {
  observe::counter observe::counters::* counter;
  picoseconds each;
  std::int64_t lines;
  std::int64_t bytes;
};

struct model {
#define ATOLL_NETWORK(name, papers, modern, unit, meaning, source) std::int64_t name = papers;
#define ATOLL_MEMORY(name, papers, modern, unit, meaning, source) std::int64_t name = papers;
#define ATOLL_PRICE(...)
#include "atoll/transport/sim/model.def"
#undef ATOLL_PRICE
#undef ATOLL_MEMORY
#undef ATOLL_NETWORK

  std::vector<price> prices;

  /// That of the settings sim-model, sim-prices and sim-vary, in this order. Throws `error`
  /// (input).
  static model of(const settings& options);
};

/// Cores that PEs of all nodes share, as hosts do that are namespaces of one machine. Each PE has
/// its place on one of them, in turn by rank: who waits gives its core away again and again, but
/// looks busy, so that the system moves nobody to it. Where the cores have not equally many PEs,
/// those are moved on now and then. Who has a core keeps it until it waits or ends, or until a tick
/// of the system finds that others of its place want it; what it does between two looks is not
/// divided.
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

/// The network between the nodes of the modelled cluster. A node has one way out and one way in,
/// which its PEs share, and hangs on a leaf switch, which has one way up to all others and one
/// down: each takes messages one after the other, in the order of their times.
class network {
 public:
  network(const model& parameters, int pes, std::uint64_t node_size);

  /// A message for a PE of another node stands at the way out at `time`.
  void post(const shipment& sent, nanoseconds time);

  nanoseconds next_step() const;

  /// How long the messages of this PE have taken the way out of its node so far.
  nanoseconds way_taken(int pe) const {
    return taken_[static_cast<std::size_t>(pe)] / per_nanosecond;
  }

  std::optional<timing::arrived> take_step();

 private:
  struct step {
    picoseconds time;      // when it wants to take its next way
    std::uint64_t number;  // equal times go in the order they were posted
    shipment message;
    int way;           // that it takes next: out of the node, up, down, into the node
    picoseconds tail;  // when all of it has passed the ways before

    friend bool operator>(const step& a, const step& b) {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  std::size_t node_of(int pe) const { return static_cast<std::size_t>(pe) / node_size_; }
  std::size_t leaf_of(int pe) const { return node_of(pe) / leaf_nodes_; }
  picoseconds& next_way(const step& of);
  bool stays_in_leaf(const shipment& sent) const { return leaf_of(sent.from) == leaf_of(sent.to); }
  picoseconds occupied(const step& of) const;

  const model& parameters_;
  std::size_t node_size_;
  std::size_t leaf_nodes_;
  // When each way is free for the next message.
  std::vector<picoseconds> out_;    // by node
  std::vector<picoseconds> up_;     // by leaf
  std::vector<picoseconds> down_;   // by leaf
  std::vector<picoseconds> in_;     // by node
  std::vector<picoseconds> taken_;  // of the way out, by PE
  std::uint64_t posted_ = 0;
  std::priority_queue<step, std::vector<step>, std::greater<>> under_way_;
};

/// What the work of the PEs costs in the modelled cluster: what they count, at the prices of
/// model.def, the lines they touch by how much memory they hold, and the way to memory that the PEs
/// of a node share.
class processors {
 public:
  processors(const model& parameters, int pes, std::uint64_t node_size);

  /// How long a PE takes for `more` and for what it has counted since the last call. Called by the
  /// PE.
  nanoseconds take(moment at, picoseconds more);

  /// What a line touched at random costs a PE that holds so many bytes, in picoseconds; and the
  /// part of such lines that comes from memory.
  static double price_of_line(const model& parameters, std::uint64_t bytes);
  static double part_from_memory(const model& parameters, std::uint64_t bytes);

 private:
  struct processor {
    std::vector<std::uint64_t> paid;  // by price: what was counted and has been paid for
    picoseconds owed = 0;             // less than a nanosecond
  };
  struct work {
    double time = 0;
    double lines = 0;
    double bytes = 0;  // between memory and the PE
  };

  /// What the way to memory of a node has still to carry, as of its latest use.
  struct memory_way {
    picoseconds time = 0;
    picoseconds backlog = 0;
  };

  work new_work(processor& of) const;
  picoseconds by_the_way_to_memory(int pe, picoseconds time, double bytes);

  const model& parameters_;
  std::size_t node_size_;
  std::vector<processor> processors_;
  std::vector<memory_way> to_memory_;  // by node
};

class cluster final : public timing {
 public:
  /// Throws `error` (input) for settings that are wrong.
  cluster(const settings& options, int pes);

  nanoseconds start() override { return 0; }
  nanoseconds notice() override { return 0; }
  // A PE that only looks must come to what others do, whatever the prices.
  nanoseconds look(moment at) override {
    return std::max<nanoseconds>(1, take(at, parameters_.look));
  }
  nanoseconds clock(moment at) override { return take(at, parameters_.clock); }

  nanoseconds handing_over(moment at) override { return take(at, parameters_.local_overhead); }
  nanoseconds taking(moment at) override { return take(at, parameters_.local_overhead); }
  nanoseconds reaching(moment at, std::uint32_t bytes) override {
    return take(at, parameters_.local_overhead + parameters_.overhead_per_byte * bytes);
  }
  nanoseconds journey() override { return parameters_.local_latency / per_nanosecond; }
  nanoseconds return_of_room() override { return parameters_.local_latency / per_nanosecond; }

  nanoseconds sending(moment at, std::uint32_t bytes) override { return take(at, overhead(bytes)); }
  nanoseconds receiving(moment at, std::uint32_t bytes) override {
    return take(at, overhead(bytes));
  }
  nanoseconds looking_far(moment at) override { return take(at, parameters_.far_look); }
  nanoseconds pause(nanoseconds nap) override {
    const picoseconds more =
        parameters_.far_look + (nap == 0 ? parameters_.yield : parameters_.waking);
    return std::max<nanoseconds>(1, nap + more / per_nanosecond);
  }
  std::optional<nanoseconds> arrival(const shipment& sent, nanoseconds time) override {
    network_.post(sent, time);
    return std::nullopt;
  }
  nanoseconds next_step() const override { return network_.next_step(); }
  std::optional<arrived> take_step() override { return network_.take_step(); }
  nanoseconds way_taken(int pe) const override { return network_.way_taken(pe); }
  bool own_cores() const override { return own_cores_; }
  nanoseconds core_for(moment at) override { return cores_.ask(at); }
  void give_core_away(moment at) override { cores_.give_away(at); }
  std::size_t one_of(std::size_t) override { return 0; }
  std::size_t buffers_of_pair(bool own) override { return own ? own_buffers_ : buffers_of_pair_; }
  std::size_t far_buffers_of_pair() override { return 0; }

 private:
  picoseconds overhead(std::uint32_t bytes) const {
    return parameters_.overhead + parameters_.overhead_per_byte * bytes;
  }
  nanoseconds take(moment at, picoseconds more) { return processors_.take(at, more); }

  const model parameters_;
  const bool own_cores_;
  const std::size_t buffers_of_pair_;  // those of the shared memory of a node
  const std::size_t own_buffers_;
  network network_;
  processors processors_;
  cores cores_;
};

}  // namespace atl::transport::sim
