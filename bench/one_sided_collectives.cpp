#include "bench/one_sided_collectives.hpp"

#include "atoll/collectives.hpp"
#include "bench/one_sided_alternatives.hpp"
#include "bench/one_sided_batches.hpp"

namespace atl::bench::one_sided {
namespace {

namespace os = atl::one_sided;

constexpr double k_batch = 2e6;  // duration of a batch in nanoseconds

task<> reduce(const load& chosen, const memories& in) {
  const bool to_one = chosen.what == operation::reduce_to_one;
  if (as_doubles(chosen))
    return to_one ? os::reduce_to(0, in.target, in.source, sum<double>())
                  : os::all_reduce(in.target, in.source, sum<double>());
  return to_one ? os::reduce_to(0, in.received, in.sent, add_bytes())
                : os::all_reduce(in.received, in.sent, add_bytes());
}

task<> pass_token(const memories& in, std::uint64_t round) {
  const auto next = in.token.on((my_pe() + 1) % pes());
  const auto* const mine = in.token.local().data();
  if (my_pe() == 0) os::put(next, round);
  co_await os::wait_until(mine, os::comparison::greater_equal, round);
  if (my_pe() != 0) os::put(next, round);
}

struct collective {
  const load& chosen;
  const memories& in;
  std::uint64_t rounds_done = 0;

  task<> once() {
    ++rounds_done;
    switch (chosen.what) {
    case operation::barrier:
      return os::barrier();
    case operation::broadcast:
      return os::broadcast<std::byte>(in.received, in.sent);
    case operation::all_to_all:
      return os::all_to_all<std::byte>(in.received, in.sent);
    case operation::ring:
      return pass_token(in, rounds_done);
    case operation::message_barrier:
      return all_barrier();
    case operation::message_allreduce:
      return reduce_by_messages(chosen, in);
    case operation::sequential_reduce:
      return reduce_in_sequence(chosen, in, rounds_done);
    default:
      return reduce(chosen, in);
    }
  }

  task<double> batch(std::uint64_t rounds) {
    co_await all_barrier();
    const auto begun = now();
    for (std::uint64_t i = 0; i < rounds; ++i) co_await once();
    const double spent = nanoseconds_since(begun) / static_cast<double>(rounds);
    co_return co_await all_reduce(spent, [](double a, double b) { return std::max(a, b); });
  }
};

double contributed(int pe, std::uint64_t i) {
  return static_cast<double>(hash(i + 7919 * static_cast<std::uint64_t>(pe)) % 4096);
}
std::byte sent_byte(int pe, std::uint64_t i) {
  return static_cast<std::byte>(hash(i + 104'729 * static_cast<std::uint64_t>(pe)));
}

void contribute(const memories& in) {
  for (std::uint64_t i = 0; i < in.source.size(); ++i)
    in.source.local()[i] = contributed(my_pe(), i);
  for (std::uint64_t i = 0; i < in.sent.size(); ++i) in.sent.local()[i] = sent_byte(my_pe(), i);
}

std::byte expected_byte(const load& chosen, std::uint64_t i) {
  if (chosen.what == operation::broadcast) return sent_byte(0, i);
  if (chosen.what == operation::all_to_all) {
    const auto within = static_cast<std::uint64_t>(my_pe()) * chosen.bytes + i % chosen.bytes;
    return sent_byte(static_cast<int>(i / chosen.bytes), within);
  }
  std::byte all{};
  for (int pe = 0; pe < pes(); ++pe) add_bytes().apply(all, sent_byte(pe, i));
  return all;
}

std::uint64_t wrong_results(const collective& of) {
  using enum operation;
  const operation what = of.chosen.what;
  const memories& in = of.in;
  const bool to_one = what == reduce_to_one || what == sequential_reduce;
  const bool reduces = to_one || what == allreduce || what == message_allreduce;
  if (what == ring) return in.token.local()[0] == of.rounds_done ? 0 : 1;
  if (what == barrier || what == message_barrier || (to_one && my_pe() != 0)) return 0;
  std::uint64_t wrong = 0;
  if (reduces && as_doubles(of.chosen)) {
    for (std::uint64_t i = 0; i < in.target.size(); ++i) {
      double all = 0;
      for (int pe = 0; pe < pes(); ++pe) all += contributed(pe, i);
      wrong += in.target.local()[i] != all;
    }
    return wrong;
  }
  for (std::uint64_t i = 0; i < in.received.size(); ++i)
    wrong += in.received.local()[i] != expected_byte(of.chosen, i);
  return wrong;
}

/// Measures the collective on every PE. All PEs perform the same number of batches, which the
/// slowest PE determines.
task<outcome> measure_on_pe(load chosen, memories in) {
  contribute(in);
  collective of{chosen, in};
  std::uint64_t rounds = 4;
  double each = co_await of.batch(rounds);
  while (each * static_cast<double>(rounds) < k_batch && rounds < 1 << 16) {
    rounds *= 2;
    each = co_await of.batch(rounds);
  }
  std::vector<double> found;
  for (double all = 0; all < chosen.seconds * 1e9;) {
    found.push_back(co_await of.batch(rounds));
    all += found.back() * static_cast<double>(rounds);
  }
  outcome result;
  result.nanoseconds = quantile(std::move(found), 0.5);
  if (chosen.what == operation::ring) result.nanoseconds /= pes();
  result.wrong = co_await all_reduce(wrong_results(of), std::plus<>());
  co_return result;
}

}  // namespace

task<outcome> measure_collective(load chosen) {
  const auto all = static_cast<std::uint64_t>(pes());
  const std::uint64_t doubles = std::max<std::uint64_t>(1, chosen.bytes / sizeof(double));
  const std::uint64_t parts = chosen.what == operation::all_to_all ? all : 1;
  const std::uint64_t gathered = chosen.what == operation::sequential_reduce ? all : 1;
  memories in;
  in.source = co_await make_symmetric_array<double>(doubles);
  in.target = co_await make_symmetric_array<double>(doubles);
  in.sent = co_await make_symmetric_array<std::byte>(chosen.bytes * parts);
  in.received = co_await make_symmetric_array<std::byte>(chosen.bytes * parts);
  in.token = co_await make_symmetric_array<std::uint64_t>(1);
  in.gathered = co_await make_symmetric_array<std::byte>(chosen.bytes * gathered);
  in.arrived = co_await make_symmetric_array<std::uint64_t>(all);
  const auto on_each = [chosen, in] { return measure_on_pe(chosen, in); };
  const outcome found = co_await from_all_pes(on_each);
  co_await in.source.destroy();
  co_await in.target.destroy();
  co_await in.sent.destroy();
  co_await in.received.destroy();
  co_await in.token.destroy();
  co_await in.gathered.destroy();
  co_await in.arrived.destroy();
  co_return found;
}

}  // namespace atl::bench::one_sided
