#include "bench/one_sided_alternatives.hpp"

#include <algorithm>
#include <vector>

namespace atl::bench::one_sided {
namespace {

namespace os = atl::one_sided;

std::span<const std::byte> contribution(const load& chosen, const memories& in) {
  if (as_doubles(chosen)) return std::as_bytes(in.source.local());
  return in.sent.local();
}

/// Adds `part` to the result on this PE.
void add(const load& chosen, const memories& in, std::span<const std::byte> part) {
  if (!as_doubles(chosen)) {
    for (std::size_t i = 0; i < part.size(); ++i)
      add_bytes().apply(in.received.local()[i], part[i]);
    return;
  }
  const auto* const more = reinterpret_cast<const double*>(part.data());
  const auto target = in.target.local();
  for (std::size_t i = 0; i < target.size(); ++i) target[i] += more[i];
}

template <class T, class Combine>
task<> reduce_values(symmetric_array<T> target, symmetric_array<T> source, Combine combine) {
  const auto mine = source.local();
  std::vector<T> values(mine.begin(), mine.end());
  values = co_await all_reduce(std::move(values), combine);
  std::ranges::copy(values, target.local().begin());
}

}  // namespace

task<> reduce_by_messages(load chosen, memories in) {
  if (as_doubles(chosen)) return reduce_values(in.target, in.source, std::plus<double>());
  const auto combine = [](std::byte a, std::byte b) {
    add_bytes().apply(a, b);
    return a;
  };
  return reduce_values(in.received, in.sent, combine);
}

task<> reduce_in_sequence(load chosen, memories in, std::uint64_t round) {
  const std::span<const std::byte> mine = contribution(chosen, in);
  if (my_pe() != 0) {
    const std::uint64_t place = static_cast<std::uint64_t>(my_pe()) * chosen.bytes;
    const auto signal = in.arrived.on(0, static_cast<std::uint64_t>(my_pe()));
    os::put_signal_nbi(in.gathered.on(0, place), mine, signal, round, os::signal_operation::set);
  } else {
    const auto result = as_doubles(chosen) ? std::as_writable_bytes(in.target.local())
                                           : std::span<std::byte>(in.received.local());
    std::ranges::copy(mine, result.begin());
    for (std::uint64_t pe = 1; pe < in.arrived.size(); ++pe) {
      const auto* const signal = in.arrived.local().data() + pe;
      co_await os::wait_until(signal, os::comparison::greater_equal, round);
      add(chosen, in, in.gathered.local().subspan(pe * chosen.bytes, chosen.bytes));
    }
  }
  co_await os::barrier();  // PE 0 must read the parts before the next round overwrites them
}

}  // namespace atl::bench::one_sided
