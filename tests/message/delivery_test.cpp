// Tests messages on arrival: their order, their payload, and the bytes and the alignment of their
// closures.

#include "support/own_state.hpp"
#include "support/run_on.hpp"

#include <array>
#include <numeric>
#include <utility>
#include <vector>

using namespace atl;
using message::traffic;

namespace {

class delivery : public test::on_pes {};

/// The messages that have arrived on a PE. Each PE has an object of its own, even if PEs are
/// threads.
struct arrived {
  std::vector<std::vector<std::uint64_t>> numbers;  // the numbers of the messages, by source
  std::uint64_t count = 0;
  std::uint64_t bad = 0;
};

arrived& arrived_here() {
  static thread_local test::own_state<arrived> each;
  return each();
}

void start_counting() {
  arrived_here() = {};
  arrived_here().numbers.resize(static_cast<std::size_t>(pes()));
}

constexpr int k_kinds = 4;

/// Messages of several types. The messages of each type are numbered.
template <int Kind>
struct numbered {
  std::uint64_t number;
  std::array<std::uint64_t, Kind> ballast{};

  void operator()() const {
    auto& from = arrived_here().numbers[static_cast<std::size_t>(this_pe().messages->source())];
    from.resize(k_kinds);
    if (from[Kind]++ != number) ++arrived_here().bad;
    ++arrived_here().count;
  }
};

task<> send_mixed(std::uint64_t a_kind) {
  std::vector<std::array<std::uint64_t, k_kinds>> next(static_cast<std::size_t>(pes()));
  for (std::uint64_t i = 0; i < a_kind * k_kinds * static_cast<std::uint64_t>(pes()); ++i) {
    const auto pe = static_cast<int>(hash(i) % static_cast<std::uint64_t>(pes()));
    auto& numbers = next[static_cast<std::size_t>(pe)];
    switch (hash(~i) % k_kinds) {
    case 0:
      async_call(pe, numbered<0>{numbers[0]++});
      break;
    case 1:
      async_call(pe, numbered<1>{numbers[1]++});
      break;
    case 2:
      async_call(pe, numbered<2>{numbers[2]++});
      break;
    default:
      async_call(pe, numbered<3>{numbers[3]++});
    }
    co_await room();
  }
}

task<> check_order(std::uint64_t a_kind) {
  start_counting();
  co_await all_barrier();
  const auto send = [a_kind] { return send_mixed(a_kind); };
  co_await finish(send);
  co_await all_barrier();
  const auto all = co_await all_reduce(arrived_here().count, [](auto a, auto b) { return a + b; });
  EXPECT_EQ(all, a_kind * k_kinds * static_cast<std::uint64_t>(pes() * pes()));
  EXPECT_EQ(arrived_here().bad, 0u);
}

TEST_P(delivery, keeps_the_order_of_each_pair_and_kind) {
  run_spmd([] { return check_order(500); });
}

TEST_P(delivery, keeps_the_order_through_small_buffers_and_overflow) {
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  run_spmd([] { return check_order(500); });
}

TEST_P(delivery, keeps_the_order_without_aggregation) {
  options.aggregation = false;
  run_spmd([] { return check_order(200); });
}

/// Returns the byte at `position` of message `i`.
std::byte pattern(std::uint64_t i, std::size_t position) {
  return static_cast<std::byte>(hash(i * 1000 + position) >> 56);
}

struct numbered_length {
  std::uint64_t number;
  std::uint64_t length;
};

struct checked_payload : numbered_length {
  void operator()(std::span<const std::byte> payload) const {
    bool good = payload.size() == length;
    for (std::size_t k = 0; good && k < length; ++k) good = payload[k] == pattern(number, k);
    ++arrived_here().count;
    if (!good) ++arrived_here().bad;
  }
};

/// A payload whose length is not sent, because its type determines the length.
struct payload_of_known_length : checked_payload {
  std::size_t payload_bytes() const { return length; }
};

template <class Closure>
task<> send_payloads(std::uint64_t messages) {
  auto& engine = *this_pe().messages;
  const auto largest = engine.payload_capacity<Closure>();
  std::vector<std::byte> payload(largest);
  for (std::uint64_t i = 0; i < messages; ++i) {
    const std::uint64_t lengths[] = {0, 1, 7, 8, 9, hash(i) % (largest + 1), largest - 1, largest};
    const auto length = lengths[i % std::size(lengths)];
    for (std::size_t k = 0; k < length; ++k) payload[k] = pattern(i, k);
    engine.send_with<traffic::tracked>(static_cast<int>(i) % pes(), Closure{{i, length}},
                                       std::span(payload).first(length), site::current());
    co_await room();
  }
}

template <class Closure>
task<> check_payloads(std::uint64_t messages) {
  start_counting();
  co_await all_barrier();
  const auto send = [messages] { return send_payloads<Closure>(messages); };
  co_await finish(send);
  co_await all_barrier();
  const auto all = co_await all_reduce(arrived_here().count, [](auto a, auto b) { return a + b; });
  EXPECT_EQ(all, messages * static_cast<std::uint64_t>(pes()));
  EXPECT_EQ(arrived_here().bad, 0u);
}

TEST_P(delivery, brings_payloads_of_every_length) {
  options.buffer_size = 4 << 10;
  run_spmd([] { return check_payloads<checked_payload>(400); });
  run_spmd([] { return check_payloads<payload_of_known_length>(400); });
}

TEST_P(delivery, brings_payloads_without_aggregation) {
  options.buffer_size = 1 << 10;
  options.aggregation = false;
  run_spmd([] { return check_payloads<checked_payload>(100); });
  run_spmd([] { return check_payloads<payload_of_known_length>(100); });
}

template <std::size_t Bytes, std::size_t Alignment>
struct alignas(Alignment) sized {
  std::array<unsigned char, Bytes> content;

  explicit sized(std::uint64_t seed) {
    for (std::size_t k = 0; k < Bytes; ++k) content[k] = static_cast<unsigned char>(hash(seed + k));
  }
  void operator()() const {
    const auto* at = reinterpret_cast<const volatile void*>(this);
    bool good = reinterpret_cast<std::uintptr_t>(at) % Alignment == 0;
    for (std::size_t k = 0; k < Bytes; ++k) {
      good = good && content[k] == static_cast<unsigned char>(hash(Bytes + k));
    }
    ++arrived_here().count;
    if (!good) ++arrived_here().bad;
  }
};

/// Sends all sizes twice, so that most messages begin in the middle of a buffer.
template <std::size_t Alignment, std::size_t First, std::size_t Step, std::size_t... K>
void send_sizes(int pe, std::index_sequence<K...>) {
  for (int twice = 0; twice < 2; ++twice) {
    (async_call(pe, sized<First + K * Step, Alignment>(First + K * Step)), ...);
  }
}

task<> check_sizes() {
  start_counting();
  co_await all_barrier();
  const auto send = [] {
    const int pe = (my_pe() + 1) % pes();
    // The sizes are 1, 8, ..., 960 bytes.
    send_sizes<1, 1, 7>(pe, std::make_index_sequence<138>{});
    // The sizes are 1, 32, ... bytes, rounded up to multiples of 8.
    send_sizes<8, 1, 31>(pe, std::make_index_sequence<31>{});
    // The sizes are 1, 62, ... bytes, rounded up to multiples of 16.
    send_sizes<16, 1, 61>(pe, std::make_index_sequence<15>{});
    send_sizes<32, 33, 95>(pe, std::make_index_sequence<10>{});
    send_sizes<64, 65, 127>(pe, std::make_index_sequence<7>{});
  };
  co_await finish(send);
  co_await all_barrier();
  EXPECT_EQ(arrived_here().count, 2u * (138 + 31 + 15 + 10 + 7));
  EXPECT_EQ(arrived_here().bad, 0u);
}

TEST_P(delivery, brings_closures_of_every_size_and_alignment) {
  run_spmd([] { return check_sizes(); });
}

TEST_P(delivery, brings_closures_of_every_size_in_the_smallest_buffers) {
  options.buffer_size = 1 << 10;
  run_spmd([] { return check_sizes(); });
}

template <std::size_t Alignment>
struct alignas(Alignment) looking_ahead {
  std::uint64_t number;

  void prefetch() const {
    if (reinterpret_cast<std::uintptr_t>(this) % Alignment != 0) ++arrived_here().bad;
    arrived_here().numbers[0].push_back(number);
  }
  void operator()() const {
    // Messages are executed in order. If the runtime prefetches at all, it must call `prefetch` for
    // each message before the message is executed.
    const auto& told = arrived_here().numbers[0];
    if (!told.empty() && (told.size() <= number || told[number] != number)) ++arrived_here().bad;
    if (arrived_here().count++ != number) ++arrived_here().bad;
  }
};

template <std::size_t Alignment>
task<> check_prefetch() {
  start_counting();
  co_await all_barrier();
  const auto send = []() -> task<> {
    for (std::uint64_t i = 0; i < 1000; ++i) {
      async_call((my_pe() + 1) % pes(), looking_ahead<Alignment>{i});
      co_await room();
    }
  };
  co_await finish(send);
  co_await all_barrier();
  EXPECT_EQ(arrived_here().count, 1000u);
  EXPECT_EQ(arrived_here().numbers[0].size(), Alignment <= 8 ? 1000u : 0u);
  EXPECT_EQ(arrived_here().bad, 0u);
}

TEST_P(delivery, prefetches_in_order_and_never_beyond_a_run) {
  run_spmd([] { return check_prefetch<8>(); });
}

TEST_P(delivery, prefetches_only_closures_that_are_aligned) {
  run_spmd([] { return check_prefetch<16>(); });
  run_spmd([] { return check_prefetch<64>(); });
}

ATOLL_RUN_ON_ALL(delivery);

}  // namespace
