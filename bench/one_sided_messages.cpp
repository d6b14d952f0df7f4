#include "bench/one_sided_messages.hpp"

#include "atoll/collectives.hpp"
#include "atoll/two_sided.hpp"
#include "bench/one_sided_batches.hpp"
#include "bench/one_sided_contents.hpp"

namespace atl::bench::one_sided {
namespace {

constexpr int k_tag = 1;

task<> ping_pong(std::span<const std::byte> data, std::span<std::byte> room, std::uint64_t rounds) {
  const int other = pes() - 1;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    co_await two_sided::send(other, k_tag, data);
    co_await two_sided::receive(other, k_tag, room);
  }
}

/// On PE 0, measures the round trips. At the end, an empty message tells the last PE to stop.
task<outcome> measure_first(load chosen) {
  outcome found;
  const auto data = contents(0, chosen.bytes);
  std::vector<std::byte> room(chosen.bytes);
  const auto batch = [&](std::uint64_t rounds) { return ping_pong(data, room, rounds); };
  found.nanoseconds = co_await median_of_rounds(chosen.seconds, batch) / 2;
  found.wrong = differing(room, data);
  co_await two_sided::send(pes() - 1, k_tag, std::span<const std::byte>());
  co_return found;
}

/// On the last PE, sends each message back.
task<> answer(std::uint64_t bytes) {
  std::vector<std::byte> room(bytes);
  while (co_await two_sided::receive(0, k_tag, std::span(room)) != 0)
    co_await two_sided::send(0, k_tag, std::span<const std::byte>(room));
}

task<outcome> measure_on_pe(load chosen) {
  outcome found;
  co_await all_barrier();
  if (my_pe() == 0) found = co_await measure_first(chosen);
  if (my_pe() == pes() - 1) co_await answer(chosen.bytes);
  co_await all_barrier();
  co_return found;
}

}  // namespace

task<outcome> measure_messages(load chosen) {
  return from_all_pes([chosen] { return measure_on_pe(chosen); });
}

}  // namespace atl::bench::one_sided
