// A wire on which buffers become visible later.

#include "job/jobs.hpp"
#include "transport/durations.hpp"

namespace atl::transport {
namespace {

class delayed_wire : public jobs {
 protected:
  delayed_wire() { options_.delay = 5 * millisecond; }
};

TEST_P(delayed_wire, wakes_a_sleeper_when_what_has_arrived_becomes_visible) {
  const int status = run([](endpoint& wire) {
    if (wire.rank() != 0) notify(wire, 0);
    for (int left = wire.size() - 1; wire.rank() == 0 && left > 0; --left) {
      const nanoseconds begin = wire.now();
      delivery arrived = wire.poll();
      for (; arrived.data == nullptr; arrived = wire.poll()) wire.wait(begin + 60 * second);
      require(wire.now() < begin + 30 * second, "it slept on");
      wire.release();
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

ATOLL_INSTANTIATE(delayed_wire, all_ways, 2, 3, 7);

}  // namespace
}  // namespace atl::transport
