// A job that never ends by itself. Scripts start the job and kill it. Some PEs exchange buffers,
// other PEs sleep, and the remaining PEs compute without polling the transport. Each PE changes its
// role again and again.

#include "atoll/error.hpp"
#include "atoll/job/bootstrap.hpp"
#include "atoll/random.hpp"

#include <cstdio>
#include <cstring>

namespace atl::transport {
namespace {

constexpr nanoseconds phase_time = 20'000'000;

void exchange(endpoint& wire, nanoseconds until) {
  while (wire.now() < until) {
    for (int to = 0; to < wire.size(); ++to) {
      std::byte* const buffer = wire.acquire(to);
      if (buffer == nullptr) continue;
      std::memset(buffer, wire.rank(), wire.buffer_capacity());
      wire.submit(to, wire.buffer_capacity());
    }
    while (wire.poll().data != nullptr) wire.release();
  }
}

void sleep(endpoint& wire, nanoseconds until) {
  while (wire.now() < until) {
    wire.wait(until);
    while (wire.poll().data != nullptr) wire.release();
  }
}

void compute(endpoint& wire, nanoseconds until) {
  while (wire.now() < until) {
  }
}

int never_end(endpoint& wire) {
  for (;;) {
    const nanoseconds start = wire.now();
    const std::uint64_t choice = hash(static_cast<std::uint64_t>(start + wire.rank())) % 8;
    const nanoseconds until = start + phase_time;
    if (choice < 4) {
      exchange(wire, until);
    } else if (choice < 7) {
      sleep(wire, until);
    } else {
      compute(wire, until + 50 * phase_time);
    }
  }
}

}  // namespace
}  // namespace atl::transport

int main(int argc, char** argv) {
  try {
    const auto options = atl::settings::take_flags(argc, argv);
    return atl::job::run_pes(options, atl::transport::never_end);
  } catch (const atl::error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return failure.exit_status();
  }
}
