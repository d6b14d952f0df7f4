// Tests a transport that lets buffers become visible only after a delay.

#include "atoll/transport/delayed.hpp"

#include "job/jobs.hpp"
#include "transport/durations.hpp"

#include <vector>

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

/// A transport on which one buffer arrives at every second poll.
class full_wire final : public endpoint {
 public:
  explicit full_wire(std::uint32_t bytes) : memory_(bytes) {
    size_ = 1;
    buffer_capacity_ = bytes;
  }
  std::byte* acquire(int) override { return nullptr; }
  void submit(int, std::uint32_t) override {}
  delivery poll() override {
    arrives_ = !arrives_;
    return arrives_ ? delivery{memory_.data(), buffer_capacity_, 0} : delivery{};
  }
  void release() override {}
  void wait(nanoseconds, awaited) override {}
  nanoseconds now() override { return 1; }
  void fail(int) override {}

 private:
  std::vector<std::byte> memory_;
  bool arrives_ = false;
};

// The transport limits the number of buffers that are not visible yet. The total number of buffers
// is unlimited.
TEST(delayed_wire_alone, takes_any_number_of_buffers_one_after_the_other) {
  full_wire wire(1 << 20);
  delayed_endpoint delayed(wire, 5);
  for (int i = 0; i < 300; ++i) {
    ASSERT_NE(delayed.poll().data, nullptr) << i;
    delayed.release();
  }
}

ATOLL_INSTANTIATE(delayed_wire, all_ways, 2, 3, 7);

}  // namespace
}  // namespace atl::transport
