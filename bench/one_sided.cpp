#include "bench/one_sided.hpp"

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "bench/one_sided_batches.hpp"
#include "bench/one_sided_collectives.hpp"
#include "bench/one_sided_contents.hpp"
#include "bench/one_sided_messages.hpp"

#include <cstring>

namespace atl::bench::one_sided {
namespace {

namespace os = atl::one_sided;

using bytes = symmetric_array<std::byte>;
using words = symmetric_array<std::uint64_t>;

constexpr std::uint64_t k_window = 64;
constexpr int k_gets_from_busy = 1000;
constexpr double k_busy = 1e9;

struct memories {
  bytes data;  // memory for k_window blocks of `load::bytes` bytes
  words counter;
};

// ---- The operations below are performed by PE 0 on memory of the last PE.

task<> put_batch(bytes data, std::span<const std::byte> source, std::uint64_t rounds) {
  const auto to = data.on(pes() - 1);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    co_await os::put(to, source);
    co_await os::quiet();
  }
}

task<> get_batch(bytes data, std::span<std::byte> into, std::uint64_t rounds) {
  const auto from = data.on(pes() - 1);
  for (std::uint64_t i = 0; i < rounds; ++i) co_await os::get(from, into);
}

task<> put_nbi_batch(bytes data, std::span<const std::byte> source, std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (std::uint64_t k = 0; k < k_window; ++k)
      os::put_nbi(data.on(pes() - 1, k * source.size()), source);
    co_await os::quiet();
  }
}

task<> get_nbi_batch(bytes data, std::span<std::byte> into, std::uint64_t rounds) {
  const std::uint64_t each = into.size() / k_window;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (std::uint64_t k = 0; k < k_window; ++k)
      os::get_nbi(data.on(pes() - 1, k * each), into.subspan(k * each, each));
    co_await os::quiet();
  }
}

task<> atomic_batch(global_address<std::uint64_t> at, std::uint64_t rounds, std::uint64_t& done) {
  for (std::uint64_t i = 0; i < rounds; ++i) (void)co_await os::fetch_add(at, 1);
  done += rounds;
}

/// Measures memcpy between the same pages, without the runtime.
task<double> memcpy_nanoseconds(bytes data, std::span<const std::byte> source, double seconds) {
  std::byte* const to = data.directly_mapped(pes() - 1).data();
  const auto batch = [to, source](std::uint64_t rounds) -> task<> {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      std::memcpy(to, source.data(), source.size());
      asm volatile("" ::: "memory");
    }
    co_return;
  };
  co_return co_await median_of_rounds(seconds, batch);
}

task<outcome> measure_put(load chosen, memories in) {
  outcome found;
  const bool nbi = chosen.what == operation::put_nbi;
  const auto source = contents(0, chosen.bytes);
  const std::span<const std::byte> all(source);
  const auto batch = [&](std::uint64_t rounds) {
    return nbi ? put_nbi_batch(in.data, all, rounds) : put_batch(in.data, all, rounds);
  };
  if (!in.data.directly_mapped(pes() - 1).empty())
    found.memcpy_nanoseconds = co_await memcpy_nanoseconds(in.data, all, chosen.seconds / 4);
  found.nanoseconds = co_await median_of_rounds(chosen.seconds, batch);
  if (nbi) found.nanoseconds /= k_window;
  for (std::uint64_t k = 0; k < (nbi ? k_window : 1); ++k) {
    std::vector<std::byte> there(chosen.bytes);
    co_await os::get(in.data.on(pes() - 1, k * chosen.bytes), std::span(there));
    found.wrong += differing(there, source);
  }
  co_return found;
}

task<outcome> measure_get(load chosen, memories in) {
  outcome found;
  const bool nbi = chosen.what == operation::get_nbi;
  const std::uint64_t count = chosen.bytes * (nbi ? k_window : 1);
  std::vector<std::byte> into(count);
  const auto batch = [&](std::uint64_t rounds) {
    return nbi ? get_nbi_batch(in.data, into, rounds) : get_batch(in.data, into, rounds);
  };
  if (!in.data.directly_mapped(pes() - 1).empty())
    found.memcpy_nanoseconds =
        co_await memcpy_nanoseconds(in.data, contents(pes() - 1, chosen.bytes), chosen.seconds / 4);
  found.nanoseconds = co_await median_of_rounds(chosen.seconds, batch);
  if (nbi) found.nanoseconds /= k_window;
  found.wrong = differing(into, contents(pes() - 1, count));
  co_return found;
}

/// Measures atomic operations. By default PE 0 operates on a word of the last PE. If `contended` is
/// set, all PEs operate on a word of PE 0. All PEs call this function.
task<outcome> measure_atomic(load chosen, memories in) {
  outcome found;
  const bool calls = my_pe() == 0 || chosen.contended;
  const auto word = in.counter.on(chosen.contended ? 0 : pes() - 1);
  std::uint64_t done = 0;
  co_await all_barrier();
  if (calls) {
    const auto batch = [&](std::uint64_t rounds) { return atomic_batch(word, rounds, done); };
    found.nanoseconds = co_await median_of_rounds(chosen.seconds, batch);
  }
  const std::uint64_t all = co_await all_reduce(done, std::plus<>());
  const std::uint64_t counted = co_await os::fetch(word);
  found.wrong = counted == all ? 0 : 1;
  co_return found;
}

/// Measures gets by PE 0 from the last PE. Until PE 0 has finished, the last PE computes for
/// `k_busy` nanoseconds between two polls.
task<outcome> measure_busy_get(load chosen, memories in) {
  outcome found;
  std::vector<double> times;
  std::vector<std::byte> into(chosen.bytes);
  co_await all_barrier();
  while (my_pe() == pes() - 1) {
    for (const auto begun = now(); nanoseconds_since(begun) < k_busy;) {
    }
    if (os::test(in.counter.local().data() + 1, os::comparison::not_equal, 0u)) break;
    co_await yield();
  }
  for (int i = 0; my_pe() == 0 && i < k_gets_from_busy; ++i) {
    const auto begun = now();
    co_await os::get(in.data.on(pes() - 1), std::span(into));
    times.push_back(nanoseconds_since(begun));
  }
  if (my_pe() == 0) {
    os::put(in.counter.on(pes() - 1, 1), 1);
    found.nanoseconds = quantile(times, 0.5);
    found.nanoseconds_99 = quantile(times, 0.99);
    found.wrong = differing(into, contents(pes() - 1, chosen.bytes));
  }
  co_await all_barrier();
  co_return found;
}

task<outcome> measure_on_pe(load chosen, memories in) {
  using enum operation;
  std::ranges::copy(contents(my_pe(), in.data.size()), in.data.local().begin());
  co_await all_barrier();
  if (chosen.what == atomic) co_return co_await measure_atomic(chosen, in);
  if (chosen.what == busy_get) co_return co_await measure_busy_get(chosen, in);
  outcome found;
  const bool puts = chosen.what == put || chosen.what == put_nbi;
  if (my_pe() == 0 && puts) found = co_await measure_put(chosen, in);
  if (my_pe() == 0 && !puts) found = co_await measure_get(chosen, in);
  co_await all_barrier();
  co_return found;
}

}  // namespace

task<outcome> measure(load chosen) {
  if (!is_between_two(chosen.what)) co_return co_await measure_collective(chosen);
  if (pes() < 2) fail(errc::input, "--pes: 1 is too few for what goes from one PE to another");
  if (chosen.what == operation::send_receive) co_return co_await measure_messages(chosen);
  memories in;
  in.data = co_await make_symmetric_array<std::byte>(chosen.bytes * k_window);
  in.counter = co_await make_symmetric_array<std::uint64_t>(2);
  const auto on_each = [chosen, in] { return measure_on_pe(chosen, in); };
  const outcome found = co_await from_all_pes(on_each);
  co_await in.data.destroy();
  co_await in.counter.destroy();
  co_return found;
}

}  // namespace atl::bench::one_sided
