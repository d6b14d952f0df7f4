#pragma once
// The model of a cluster: time passes by what the PEs count, at the prices of model.def, and by
// what the network takes. Nothing is left to chance.

#include "atoll/transport/sim/model.hpp"
#include "atoll/transport/sim/network.hpp"
#include "atoll/transport/sim/timing.hpp"

#include <vector>

namespace atl::transport::sim {

class cluster final : public timing {
 public:
  /// Throws `error` (input) for settings that are wrong.
  cluster(const settings& options, int pes);

  nanoseconds start() override { return 0; }
  nanoseconds notice() override { return 0; }
  nanoseconds look(int pe) override { return take(pe, parameters_.look); }
  nanoseconds clock(int pe) override { return take(pe, parameters_.clock); }
  nanoseconds sending(int from, int to) override { return take(from, overhead(from, to)); }
  nanoseconds receiving(int from, int to) override { return take(to, overhead(from, to)); }
  std::optional<nanoseconds> arrival(int from, int to, std::uint32_t bytes,
                                     nanoseconds time) override;
  nanoseconds return_of_room(int from, int to) override;
  nanoseconds next_step() const override { return network_.next_step(); }
  std::optional<arrived> take_step() override { return network_.take_step(); }
  std::size_t one_of(std::size_t) override { return 0; }
  std::size_t buffers_of_pair() override;

 private:
  struct processor {
    std::vector<std::uint64_t> paid;  // by price: what was counted and has been paid for
    picoseconds owed = 0;             // less than a nanosecond
  };

  picoseconds overhead(int from, int to) const {
    return network_.of_one_node(from, to) ? parameters_.local_overhead : parameters_.overhead;
  }
  nanoseconds take(int pe, picoseconds more);
  picoseconds price_of_new(processor& of) const;

  const model parameters_;
  network network_;
  std::vector<processor> processors_;
};

}  // namespace atl::transport::sim
