#include "bench/message_stages.hpp"

#include "bench/message_kinds.hpp"

namespace atl::bench::messages {
namespace {

constexpr std::uint64_t k_buffer_size = 64 << 10;
// Number of buffers that a PE fills. The job has additional buffers for the runtime's own messages.
constexpr std::uint64_t k_buffers = 1024;
// Number of passes before the measurement, which touch every buffer.
constexpr int k_untimed_passes = 2;
constexpr int k_timed_passes = 4;

double as_seconds(nanoseconds time) { return static_cast<double>(time) * 1e-9; }

/// Returns the number of messages in a buffer. A buffer also contains two headers, each as large as
/// a message.
std::uint64_t messages_per_buffer() { return job_settings().buffer_size / sizeof(message<0>) - 2; }

[[gnu::noinline]] void create(int to, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t i = first; i < last; ++i) async_call(to, message<0>{i, ~i});
}

/// Fills buffers, and passes each full buffer to the transport.
void fill(std::uint64_t messages, stages& times) {
  const int to = receiver();
  const std::uint64_t share = messages_per_buffer();
  nanoseconds creating = 0;
  nanoseconds handing_over = 0;
  for (std::uint64_t first = 0; first < messages; first += share) {
    const nanoseconds begin = now();
    create(to, first, std::min(first + share, messages));
    const nanoseconds full = now();
    this_pe().messages->flush();
    const nanoseconds end = now();
    creating += full - begin;
    handing_over += end - full;
  }
  times.create.seconds += as_seconds(creating);
  times.hand_over.seconds += as_seconds(handing_over);
}

void compute_until(nanoseconds time) {
  while (now() < time) {
  }
}

/// Performs one pass of this PE: fills buffers, waits for the other PEs, and delivers.
task<> all_fill_and_deliver(std::uint64_t messages, stages& times) {
  const std::uint64_t executed_before = executed();
  received_sums = {};
  co_await all_barrier();
  const nanoseconds begin = now();
  fill(messages, times);
  const nanoseconds filled = now();
  compute_until(filled + (filled - begin));
  const nanoseconds first = now();
  while (executed() - executed_before < messages) co_await yield();
  times.deliver.seconds += as_seconds(now() - first);
  times.errors += executed() - executed_before != messages;
  times.errors += received_sums[0] != messages * ~std::uint64_t{0};  // all bits of i ^ ~i are 1
}

task<stages> all_measure(std::uint64_t messages) {
  stages times;
  for (int pass = 0; pass < k_untimed_passes + k_timed_passes; ++pass) {
    if (pass == k_untimed_passes) times.create = times.hand_over = times.deliver = phase{};
    const auto one_pass = [&] { return all_fill_and_deliver(messages, times); };
    co_await finish(one_pass);
  }
  const std::uint64_t sent = messages * k_timed_passes;
  times.create.operations = times.hand_over.operations = times.deliver.operations = sent;
  co_return times;
}

stages combined_stages(const stages& a, const stages& b) {
  return {combined(a.create, b.create), combined(a.hand_over, b.hand_over),
          combined(a.deliver, b.deliver), a.errors + b.errors};
}

}  // namespace

settings settings_for_stages(settings chosen) {
  chosen.buffer_size = k_buffer_size;
  chosen.buffers_per_pair = k_buffers;
  // The hang detector is off, because the measured PEs intentionally do not poll.
  chosen.stall_time = 0;
  return chosen;
}

std::uint64_t memory_for_stages() { return k_buffers * k_buffer_size; }

task<stages> measure_stages(std::uint64_t cold_bytes) {
  const std::uint64_t messages = cold_bytes / sizeof(message<0>);
  stages result;
  const auto on_each = [messages, to_pe_0 = &result]() -> task<> {
    const stages mine = co_await all_measure(messages);
    const stages all = co_await all_reduce(mine, &combined_stages);
    if (my_pe() == 0) *to_pe_0 = all;
  };
  co_await on_all_pes(on_each);
  co_return result;
}

}  // namespace atl::bench::messages
