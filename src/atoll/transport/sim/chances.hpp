#pragma once
// Everything that chance decides in a simulated job. A seed first draws a temper, so that seeds
// differ in kind and not only in detail: swift or slow wires, even or wild delays, PEs that are
// interrupted or not. Then it draws each single time.

#include "atoll/random.hpp"
#include "atoll/transport/sim/timing.hpp"

#include <cstddef>

namespace atl::transport::sim {

class chances final : public timing {
 public:
  explicit chances(std::uint64_t seed);

  nanoseconds start() override { return below(1'000); }
  nanoseconds notice() override { return below(10'000'000); }

  /// Seldom, far longer than usual: something else has used the core.
  nanoseconds look(moment) override { return cost(50, 150); }
  nanoseconds clock(moment) override { return cost(5, 20); }

  nanoseconds handing_over(moment) override { return 0; }
  nanoseconds taking(moment) override { return 0; }
  nanoseconds reaching(moment, std::uint32_t) override { return 0; }
  nanoseconds journey() override { return delay(); }
  nanoseconds return_of_room() override { return delay(); }

  nanoseconds sending(moment, std::uint32_t) override { return 0; }
  nanoseconds receiving(moment, std::uint32_t) override { return 0; }
  nanoseconds looking_far(moment) override { return 0; }
  nanoseconds pause(nanoseconds nap) override { return nap + cost(50, 150); }
  std::optional<nanoseconds> arrival(const shipment&, nanoseconds time) override {
    return time + delay();
  }

  bool own_cores() const override { return false; }
  std::size_t one_of(std::size_t count) override {
    return static_cast<std::size_t>(draws_.below(count));
  }
  std::size_t buffers_of_pair(bool) override {
    return 1 + static_cast<std::size_t>(draws_.below(4));
  }
  std::size_t far_buffers_of_pair() override { return buffers_of_pair(false); }

 private:
  nanoseconds below(nanoseconds bound) {
    return static_cast<nanoseconds>(draws_.below(static_cast<std::uint64_t>(bound)));
  }
  nanoseconds delay();
  nanoseconds cost(nanoseconds least, nanoseconds range);

  random_stream draws_;
  nanoseconds shortest_delay_;
  nanoseconds delay_range_;
  std::uint64_t late_buffers_;   ///< in 65536
  std::uint64_t interruptions_;  ///< looks in 65536
  nanoseconds longest_interruption_;
};

}  // namespace atl::transport::sim
