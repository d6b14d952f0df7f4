#pragma once
// The model of a cluster for the transport `sim`. The model computes how much time passes on each
// PE. The runtime counts the work of each PE, and the model multiplies the counters by the prices
// (costs per unit) of model.def. Messages take the time of a modelled network. Nothing is random.

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

// The file model.def lists the parameters of the model. Settings can change the values of the
// parameters.

using picoseconds = std::int64_t;
inline constexpr picoseconds per_nanosecond = 1000;

/// The cost of each unit of a counter. The cost has three parts: processor time, cache lines
/// touched at random, and bytes moved between the PE and the memory of its node.
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

  /// Returns the model that the setting `sim-model` names. The parameters are first changed by the
  /// file of the setting `sim-prices`, and then multiplied by the factors of the setting
  /// `sim-vary`. Throws `error` (input) if a setting or the file is wrong.
  static model of(const settings& options);
};

/// Cores that the PEs of all nodes share. The model needs this class to predict runs in which all
/// hosts are namespaces of one machine. Each PE is assigned to one core, round-robin by rank. The
/// model never moves a PE to the core of a waiting PE, because a waiting PE polls and therefore
/// looks busy to the operating system. From time to time, all PEs change to the next core, as
/// processes do under Linux. A PE keeps its core until it waits or ends. If another PE wants the
/// core, the PE also loses the core at a timer tick of the system. A PE can lose its core only when
/// it polls.
class cores {
 public:
  /// Makes `count` cores for `pes` PEs. If `count` is 0, each PE has a core of its own. The
  /// operating system has a timer tick every `tick` nanoseconds. A core takes `change` nanoseconds
  /// to switch to another PE.
  cores(std::size_t count, int pes, nanoseconds tick, nanoseconds change)
      : cores_(count), pes_(pes), tick_(std::max<nanoseconds>(tick, 1)), change_(change) {}

  /// Asks for the core of the PE `at.pe`. If the PE gets or has the core at the time `at.time`,
  /// returns that time. If the PE does not get the core, returns a later time, when the PE has the
  /// core or must ask again.
  nanoseconds ask(moment at);

  void give_away(moment at);

 private:
  struct waiting {
    int pe;
    nanoseconds since;
  };
  struct core {
    int holder = nobody;
    // PE that has the core now or had it last
    int last = nobody;
    // The time when the present holder got the core. If no PE has the core, the time when the core
    // became free.
    nanoseconds since = 0;
    std::deque<waiting> queue;
  };

  static constexpr int nobody = -1;
  static constexpr nanoseconds between_questions = 1'000;

  // Time in ns between two changes of all PEs to the next core. Linux shows a similar behaviour: if
  // three processes are always busy on two cores, one of them is moved every 90 ms.
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

/// The network between the nodes of the modelled cluster. Each node has an outgoing and an incoming
/// link, which the PEs of the node share. The links connect the node to a leaf switch. A leaf
/// switch has one link up to all other leaf switches, and one link down from them. Each link
/// transfers one message after the other, in the order in which the messages are ready for the
/// link.
class network {
 public:
  network(const model& parameters, int pes, std::uint64_t node_size);

  /// Sends a message to a PE of another node. At the time `time`, the message is ready for the
  /// outgoing link of its node.
  void post(const shipment& sent, nanoseconds time);

  nanoseconds next_step() const;

  /// Returns how long, in ns, messages of `pe` have occupied the outgoing link of its node so
  /// far.
  nanoseconds way_taken(int pe) const {
    return taken_[static_cast<std::size_t>(pe)] / per_nanosecond;
  }

  std::optional<timing::arrived> take_step();

 private:
  struct step {
    picoseconds time;      // time when the message is ready for its next link
    std::uint64_t number;  // if times are equal, the smaller number comes first
    shipment message;
    int way;           // next link: `way_out`, `way_up`, `way_down` or `way_in`
    picoseconds tail;  // time when the last byte has passed the previous links

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
  // The next four tables hold the time when each link is free for the next message. The table
  // `out_` has one entry for the outgoing link of each node.
  std::vector<picoseconds> out_;
  // One entry for the link up from each leaf switch.
  std::vector<picoseconds> up_;
  // One entry for the link down to each leaf switch.
  std::vector<picoseconds> down_;
  // One entry for the incoming link of each node.
  std::vector<picoseconds> in_;
  // How long, in ps, the messages of each PE have occupied the outgoing link of its node.
  std::vector<picoseconds> taken_;
  std::uint64_t posted_ = 0;
  std::priority_queue<step, std::vector<step>, std::greater<>> under_way_;
};

/// Computes the time that the work of each PE takes in the modelled cluster. The increase of each
/// counter is multiplied by its price (cost per unit) in model.def. The cost of a cache line
/// touched at random depends on how much memory the PE has in use. The PEs of a node share the
/// bandwidth of the node's memory.
class processors {
 public:
  processors(const model& parameters, int pes, std::uint64_t node_size);

  /// Returns the time, in ns, of all work that the PE `at.pe` has counted since the last call, plus
  /// `more` picoseconds. Only the PE itself calls this function.
  nanoseconds take(moment at, picoseconds more);

  /// The function `price_of_line` returns the cost, in picoseconds, of a cache line touched at
  /// random by a PE that uses `bytes` bytes. The function `part_from_memory` returns the fraction
  /// of randomly touched cache lines that are in no cache.
  static double price_of_line(const model& parameters, std::uint64_t bytes);
  static double part_from_memory(const model& parameters, std::uint64_t bytes);

 private:
  struct processor {
    // The values of the counters at the last call of `take`, in the order of `model::prices`.
    std::vector<std::uint64_t> paid;
    // Remaining time below one nanosecond, which the next call of `take` adds.
    picoseconds owed = 0;
  };
  struct work {
    double time = 0;
    double lines = 0;
    double bytes = 0;  // bytes moved between the memory of the node and the PE
  };

  /// The state of the memory of a node. The latest transfer began at `time`. The memory will have
  /// completed all transfers at the time `time` + `backlog`.
  struct memory_way {
    picoseconds time = 0;
    picoseconds backlog = 0;
  };

  work new_work(processor& of) const;
  picoseconds by_the_way_to_memory(int pe, picoseconds time, double bytes);

  const model& parameters_;
  std::size_t node_size_;
  std::vector<processor> processors_;
  std::vector<memory_way> to_memory_;  // state of the memory of each node
};

class cluster final : public timing {
 public:
  /// Makes the model of a cluster for `pes` PEs. Throws `error` (input) if the settings of the
  /// model are wrong.
  cluster(const settings& options, int pes);

  nanoseconds start() override { return 0; }
  nanoseconds notice() override { return 0; }
  // Each poll takes at least 1 ns. If polls took no time, the clock of a polling PE would not
  // advance, and other PEs could not run.
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
  const std::size_t buffers_of_pair_;  // number of buffers from a PE to another PE of its node
  const std::size_t own_buffers_;
  network network_;
  processors processors_;
  cores cores_;
};

}  // namespace atl::transport::sim
