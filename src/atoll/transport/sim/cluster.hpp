#pragma once
// The model of a cluster. Time passes by the counters of the PEs, at the prices of model.def, and
// by the time that the network takes. Nothing is random.

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

// The parameters of the model are those of model.def, as changed by the settings.

using picoseconds = std::int64_t;
inline constexpr picoseconds per_nanosecond = 1000;

/// Cost of one more of a counter: processor time, lines touched at random, and bytes moved between
/// the PE and its node's memory.
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

  /// Returns the model of the settings sim-model, sim-prices and sim-vary, in this order. Throws
  /// `error` (input).
  static model of(const settings& options);
};

/// Cores shared by PEs of all nodes, as by hosts that are namespaces of one machine. Each PE has a
/// place on one core, round-robin by rank. A waiting PE yields its core again and again, but looks
/// busy, so the system moves no PE there. If cores have different numbers of PEs, PEs are moved on
/// from time to time. A PE keeps its core until it waits or ends. A tick of the system also takes
/// the core if other PEs of its place want it. Work between two looks is not divided.
class cores {
 public:
  /// Makes `count` cores for `pes` PEs; 0: each PE has its own. A tick comes every `tick`
  /// nanoseconds, and a switch to another PE takes `change`.
  cores(std::size_t count, int pes, nanoseconds tick, nanoseconds change)
      : cores_(count), pes_(pes), tick_(std::max<nanoseconds>(tick, 1)), change_(change) {}

  /// Returns the time of the PE if it has its core now. Otherwise returns when it will have the
  /// core, or must ask again.
  nanoseconds ask(moment at);

  void give_away(moment at);

 private:
  struct waiting {
    int pe;
    nanoseconds since;
  };
  struct core {
    int holder = nobody;
    int last = nobody;      // PE that has the core, or had it last
    nanoseconds since = 0;  // start of the holder's turn, or of idleness
    std::deque<waiting> queue;
  };

  static constexpr int nobody = -1;
  static constexpr nanoseconds between_questions = 1'000;

  // Time between moves. Of three processes that are always busy on two cores, Linux moves one every
  // 90 ms.
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
/// which its PEs share. Nodes are connected to a leaf switch, which has one way up to all others
/// and one down. Each way takes messages one after the other, in the order of their times.
class network {
 public:
  network(const model& parameters, int pes, std::uint64_t node_size);

  /// Posts a message for a PE of another node, which is at the way out at `time`.
  void post(const shipment& sent, nanoseconds time);

  nanoseconds next_step() const;

  /// Returns how long messages of this PE have occupied the way out of its node so far.
  nanoseconds way_taken(int pe) const {
    return taken_[static_cast<std::size_t>(pe)] / per_nanosecond;
  }

  std::optional<timing::arrived> take_step();

 private:
  struct step {
    picoseconds time;      // when it is ready for its next way
    std::uint64_t number;  // orders equal times by posting
    shipment message;
    int way;           // next way: out of the node, up, down, into the node
    picoseconds tail;  // when all of it has passed the previous ways

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
  // Time at which each way is free for the next message.
  std::vector<picoseconds> out_;    // by node
  std::vector<picoseconds> up_;     // by leaf
  std::vector<picoseconds> down_;   // by leaf
  std::vector<picoseconds> in_;     // by node
  std::vector<picoseconds> taken_;  // time on the way out, by PE
  std::uint64_t posted_ = 0;
  std::priority_queue<step, std::vector<step>, std::greater<>> under_way_;
};

/// Cost of the work of the PEs in the modelled cluster. Counters are charged at the prices of
/// model.def, and touched lines by how much memory a PE holds. The PEs of a node share the way to
/// memory.
class processors {
 public:
  processors(const model& parameters, int pes, std::uint64_t node_size);

  /// Returns the time for `more` and for everything the PE has counted since the last call. Called
  /// by the PE.
  nanoseconds take(moment at, picoseconds more);

  /// The first function returns the cost in picoseconds of a line touched at random, for a PE that
  /// holds `bytes` bytes. The second one returns the fraction of such lines that comes from memory.
  static double price_of_line(const model& parameters, std::uint64_t bytes);
  static double part_from_memory(const model& parameters, std::uint64_t bytes);

 private:
  struct processor {
    std::vector<std::uint64_t> paid;  // by price: counts already charged
    picoseconds owed = 0;             // less than a nanosecond
  };
  struct work {
    double time = 0;
    double lines = 0;
    double bytes = 0;  // between memory and the PE
  };

  /// Backlog of a node's way to memory, as of its latest use.
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
  // A look takes time at any price, so that a polling PE lets others proceed.
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
  const std::size_t buffers_of_pair_;  // for shared memory within a node
  const std::size_t own_buffers_;
  network network_;
  processors processors_;
  cores cores_;
};

}  // namespace atl::transport::sim
