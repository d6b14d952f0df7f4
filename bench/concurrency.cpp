#include "bench/concurrency.hpp"

#include "atoll/base/histogram.hpp"
#include "kernels/uts_memory.hpp"

namespace atoll::bench::concurrency {
namespace {

namespace in_memory = kernels::uts::in_memory;

/// Times blocking reads until `stop`.
task<> probe(global_address<std::uint64_t> far, const bool& stop, histogram& latencies) {
  while (!stop) {
    const auto begin = this_pe().transport->now();
    co_await read(far);
    latencies.add(static_cast<std::uint64_t>(this_pe().transport->now() - begin));
  }
}

task<std::uint64_t> read_idle_nanoseconds() {
  std::uint64_t sum = 0;
  for (const auto& pe : co_await read_counters()) sum += pe.idle_nanoseconds;
  co_return sum;
}

/// The search, with the probe beside it where there is another PE to read from.
task<double> search_with_probe(in_memory::searchers all, histogram& latencies) {
  const auto words = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
  const global_address<std::uint64_t> far = words[words.size() - 1];
  bool stop = false;
  double seconds = 0;
  const auto both = [&]() -> task<> {
    if (pes() > 1) spawn([&, far] { return probe(far, stop, latencies); });
    const auto begin = this_pe().transport->now();
    co_await in_memory::search_whole(all);
    seconds = in_memory::seconds_since(begin);
    stop = true;
  };
  co_await finish(both);
  co_await words.destroy();
  co_return seconds;
}

}  // namespace

task<outcome> measure(kernels::uts::tree_parameters tree) {
  const auto built = co_await kernels::uts::build(tree, job_settings().seed);
  const auto all = co_await in_memory::make_searchers(built, kernels::uts::join_at::whole);
  histogram latencies;
  outcome result;
  const std::uint64_t idle_before = co_await read_idle_nanoseconds();
  result.seconds = co_await search_with_probe(all, latencies);
  const auto idle = static_cast<double>(co_await read_idle_nanoseconds() - idle_before);
  result.idle_fraction = idle / (1e9 * result.seconds * pes());
  result.latency_mean = latencies.mean();
  result.latency_quantile = static_cast<double>(latencies.quantile(0.99));
  const auto findings = co_await in_memory::collect(all);
  result.found = findings.found;
  co_await all.destroy();
  co_await built.vertices.destroy();
  co_return result;
}

}  // namespace atoll::bench::concurrency
