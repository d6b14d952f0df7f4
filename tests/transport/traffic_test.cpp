// All buffers must arrive unchanged, and those of each pair of PEs in the order of sending.

#include "atoll/random.hpp"
#include "job/jobs.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <sched.h>
#include <vector>

namespace atl::transport {
namespace {

using traffic = jobs;
class traffic_in_parallel : public jobs {};

/// The content of buffer `number` of a pair of PEs. The length and the bytes of the buffer depend
/// on the pair and the number.
struct pattern {
  int source;
  int destination;
  std::uint32_t number;

  std::uint64_t word(std::uint64_t index) const {
    return hash(hash(static_cast<std::uint64_t>(source) << 40 |
                     static_cast<std::uint64_t>(destination) << 20) +
                (std::uint64_t{number} << 20) + index);
  }
  std::uint32_t bytes(std::uint32_t capacity) const {
    return 1 + static_cast<std::uint32_t>(word(~std::uint64_t{0}) % capacity);
  }
  void fill(std::byte* data, std::uint32_t bytes) const {
    for (std::uint32_t at = 0; at < bytes; at += 8) {
      const std::uint64_t value = word(at);
      std::memcpy(data + at, &value, std::min(8u, bytes - at));
    }
  }
  bool equals(const delivery& arrived, std::uint32_t capacity) const {
    std::vector<std::byte> expected(bytes(capacity));
    fill(expected.data(), bytes(capacity));
    return arrived.bytes == expected.size() &&
           std::memcmp(arrived.data, expected.data(), expected.size()) == 0;
  }
};

/// Sends `count` buffers to every PE including itself, and meanwhile receives buffers.
class exchange {
 public:
  exchange(endpoint& wire, std::uint32_t count)
      : wire_(wire), count_(count), sent_(size()), received_(size()) {}

  void run() {
    while (!done()) {
      const bool sent = send_round();
      const bool received = receive_all();
      if (!sent && !received && !done()) wire_.wait(forever);
    }
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(wire_.size()); }

  bool done() const {
    for (std::size_t pe = 0; pe < size(); ++pe)
      if (sent_[pe] < count_ || received_[pe] < count_) return false;
    return true;
  }
  bool send_round() {
    bool any = false;
    for (int to = 0; to < wire_.size(); ++to) {
      std::uint32_t& number = sent_[static_cast<std::size_t>(to)];
      std::byte* const buffer = number < count_ ? wire_.acquire(to) : nullptr;
      if (buffer == nullptr) continue;
      require(reinterpret_cast<std::uintptr_t>(buffer) % 64 == 0, "a buffer is not aligned");
      const pattern sending{wire_.rank(), to, number++};
      const std::uint32_t bytes = sending.bytes(wire_.buffer_capacity());
      sending.fill(buffer, bytes);
      wire_.submit(to, bytes);
      any = true;
    }
    return any;
  }
  bool receive_all() {
    bool any = false;
    for (delivery arrived = wire_.poll(); arrived.data != nullptr; arrived = wire_.poll()) {
      std::uint32_t& number = received_[static_cast<std::size_t>(arrived.source)];
      const pattern expected{arrived.source, wire_.rank(), number++};
      require(expected.equals(arrived, wire_.buffer_capacity()),
              "a buffer is not the expected one");
      wire_.release();
      any = true;
    }
    return any;
  }

  endpoint& wire_;
  std::uint32_t count_;
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> received_;
};

TEST_P(traffic, between_all_pairs_arrives_complete_and_in_order) {
  options_.buffer_size = 1 << 10;
  options_.buffers_per_pair = 3;
  const int status = run([](endpoint& wire) {
    exchange(wire, wire.size() > 8 ? 40 : sanitized ? 100 : 500).run();
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_P(traffic, with_the_usual_buffers_arrives_complete_and_in_order) {
  const int status = run([](endpoint& wire) {
    exchange(wire, wire.size() > 8 ? 6 : sanitized ? 12 : 40).run();
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_P(traffic, to_oneself_fills_and_empties_the_ring) {
  options_.buffers_per_pair = 4;
  const int status = run([](endpoint& wire) {
    for (std::uint32_t round = 0; round < 10; ++round) {
      for (std::uint32_t number = 0; number < 4; ++number) {
        std::byte* const buffer = acquire_waiting(wire, wire.rank());
        *buffer = static_cast<std::byte>(number);
        wire.submit(wire.rank(), 1 + number);
      }
      require(wire.acquire(wire.rank()) == nullptr, "a full ring gave a buffer");
      for (std::uint32_t number = 0; number < 4; ++number) {
        const delivery arrived = poll_waiting(wire);
        require(arrived.bytes == 1 + number, "a buffer came out of order");
        require(*arrived.data == static_cast<std::byte>(number), "a buffer was changed");
        wire.release();
      }
      require(wire.poll().data == nullptr, "an empty ring gave a buffer");
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

/// Returns a counter that all PEs change directly, without messages. The counter is the first word
/// of PE 0's segment.
std::atomic_ref<std::uint64_t> shared_counter(const endpoint& wire) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(wire.segment(0)));
}

TEST_P(traffic_in_parallel, is_taken_from_each_source_in_turn) {
  constexpr int rounds = 4;
  options_.buffers_per_pair = rounds;
  const int status = run([](endpoint& wire) {
    for (int i = 0; i < rounds; ++i) notify(wire, 0);
    ++shared_counter(wire);
    if (wire.rank() != 0) return 0;
    while (shared_counter(wire) < static_cast<std::uint64_t>(wire.size())) sched_yield();
    for (int round = 0; round < rounds; ++round)
      for (int source = 0; source < wire.size(); ++source)
        require(await_notice(wire) == source, "a source came out of its turn");
    return 0;
  });
  EXPECT_EQ(status, 0);
}

ATOLL_INSTANTIATE(traffic, all_ways, 1, 2, 3, 4, 7, 8, 65);
ATOLL_INSTANTIATE(traffic_in_parallel, both_kinds, 1, 2, 3, 4, 7, 8, 65);

}  // namespace
}  // namespace atl::transport
