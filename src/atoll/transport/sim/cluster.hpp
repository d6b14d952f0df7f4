#pragma once
// The model of a cluster: time passes by what the PEs count, at the prices of model.def, and by
// what the network takes. Nothing is left to chance.

#include "atoll/transport/sim/cores.hpp"
#include "atoll/transport/sim/model.hpp"
#include "atoll/transport/sim/network.hpp"
#include "atoll/transport/sim/processors.hpp"
#include "atoll/transport/sim/timing.hpp"

#include <algorithm>

namespace atl::transport::sim {

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
