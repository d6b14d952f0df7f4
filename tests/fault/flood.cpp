// For some seconds, three PEs send messages to the fourth PE as fast as they can, from tasks and
// from handlers. The fourth PE answers each message. No message may be lost, duplicated or changed.
//
// usage: fault_flood SECONDS [--atoll-...]

#include "atoll/atoll.hpp"
#include "atoll/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace {

using namespace atl;

constexpr int k_pes = 4;
constexpr int k_flooded = 3;
constexpr int k_tasks = 8;
constexpr transport::nanoseconds k_second = 1'000'000'000;
constexpr transport::nanoseconds k_rest =
    // The job rests for this time before the flood, so that the script can measure its memory.
    k_second;

/// The number of messages of one kind, and the sum of their contents.
struct tally {
  std::uint64_t messages = 0;
  std::uint64_t sum = 0;

  void add(std::uint64_t value) {
    ++messages;
    sum += value;
  }
  friend tally operator+(tally a, tally b) { return {a.messages + b.messages, a.sum + b.sum}; }
  friend bool operator==(tally, tally) = default;
};

struct tallies {
  tally sent;        ///< messages from tasks to the flooded PE
  tally relay_sent;  ///< messages from tasks to another flooding PE, which forwards them
  tally relayed;     ///< messages from handlers to the flooded PE
  tally arrived;     ///< messages that have arrived at the flooded PE
  tally answered;    ///< answers that have arrived at the sender
  friend tallies operator+(const tallies& a, const tallies& b) {
    return {a.sent + b.sent, a.relay_sent + b.relay_sent, a.relayed + b.relayed,
            a.arrived + b.arrived, a.answered + b.answered};
  }
};

thread_local tallies mine;

/// Sends a message to the flooded PE. The handler of the message sends an answer.
void flood(std::uint64_t value) {
  async_call(k_flooded, [value, from = my_pe()] {
    mine.arrived.add(value);
    async_call(from, [value] { mine.answered.add(value); });
  });
}

/// Sends messages to the flooded PE until `end`, both directly and through a handler on the next
/// flooding PE.
task<> flood_until(transport::nanoseconds end, std::uint64_t stream) {
  for (std::uint64_t i = 0; this_pe().transport->now() < end; ++i) {
    const std::uint64_t value = hash(stream << 40 | i);
    mine.sent.add(value);
    flood(value);
    mine.relay_sent.add(value);
    async_call((my_pe() + 1) % k_flooded, [value] {
      mine.relayed.add(value);
      flood(value);
    });
    co_await room();
  }
}

task<> start_tasks(transport::nanoseconds end) {
  for (std::uint64_t i = 0; i < k_tasks; ++i) {
    const auto stream = static_cast<std::uint64_t>(my_pe()) * k_tasks + i;
    spawn([=] { return flood_until(end, stream); });
  }
  co_return;
}

task<tallies> total() {
  tallies sum;
  for (int pe = 0; pe < pes(); ++pe) {
    const tallies of_pe = co_await call(pe, [] { return mine; });
    sum = sum + of_pe;
  }
  co_return sum;
}

task<tallies> whole_flood(transport::nanoseconds duration) {
  co_await on_all_pes([] {
    if (my_pe() != k_flooded) return;
    std::printf("PE %d is process %d\n", k_flooded, getpid());
    std::fflush(stdout);
  });
  co_await sleep_for(k_rest);
  const auto end = this_pe().transport->now() + duration;
  const auto on_each = [end]() -> task<> {
    if (my_pe() != k_flooded) co_await start_tasks(end);
  };
  co_await on_all_pes(on_each);
  co_return co_await total();
}

bool print(const tallies& all) {
  const auto sent = all.sent.messages + all.relayed.messages;
  std::printf("%llu messages of tasks and %llu of handlers sent, %llu arrived, %llu answered\n",
              static_cast<unsigned long long>(all.sent.messages),
              static_cast<unsigned long long>(all.relayed.messages),
              static_cast<unsigned long long>(all.arrived.messages),
              static_cast<unsigned long long>(all.answered.messages));
  const bool right = sent > 0 && all.relayed == all.relay_sent &&
                     all.arrived == all.sent + all.relayed && all.answered == all.arrived;
  std::printf("%s\n", right ? "nothing was lost or changed" : "WRONG");
  return right;
}

int run(int argc, char** argv) {
  settings options = settings::take_flags(argc, argv);
  if (argc != 2) fail(errc::input, "usage: fault_flood SECONDS");
  options.pes = k_pes;
  const auto duration = std::strtol(argv[1], nullptr, 10) * k_second;
  tallies all;
  const int status = run_job(options, [&]() -> task<> { all = co_await whole_flood(duration); });
  if (status != 0) return status;
  return print(all) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return failure.exit_status();
  }
}
