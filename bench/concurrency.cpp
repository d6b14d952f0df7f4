#include "bench/concurrency.hpp"

#include "atoll/kernels/uts_memory.hpp"

namespace atl::bench::concurrency {
namespace {

namespace in_memory = kernels::uts::in_memory;

task<std::uint64_t> read_idle_nanoseconds() {
  std::uint64_t sum = 0;
  for (const auto& pe : co_await read_counters()) sum += pe.idle_nanoseconds;
  co_return sum;
}

}  // namespace

task<outcome> measure(kernels::uts::tree_parameters tree) {
  const auto built = co_await kernels::uts::build(tree, job_settings().seed);
  const auto all = co_await in_memory::make_searchers(built, kernels::uts::join_at::whole);
  outcome result;
  const histogram earlier = co_await read_latencies();
  const std::uint64_t idle_before = co_await read_idle_nanoseconds();
  const auto begin = this_pe().transport->now();
  co_await in_memory::search_whole(all);
  result.seconds = in_memory::seconds_since(begin);
  const auto idle = static_cast<double>(co_await read_idle_nanoseconds() - idle_before);
  result.idle_fraction = idle / (1e9 * result.seconds * pes());
  const histogram all_latencies = co_await read_latencies();
  const histogram latencies = all_latencies.since(earlier);
  result.latency_mean = latencies.mean();
  result.latency_quantile = static_cast<double>(latencies.quantile(0.99));
  const auto findings = co_await in_memory::collect(all);
  result.found = findings.found;
  co_await all.destroy();
  co_await built.vertices.destroy();
  co_return result;
}

}  // namespace atl::bench::concurrency
