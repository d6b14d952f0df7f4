#include "reproduction/concurrency/concurrency.hpp"

#include "bench/uts_in_memory.hpp"

namespace atl::reproduction::concurrency {
namespace {

namespace in_memory = bench::uts::in_memory;

/// Measures the time and the idle time of one PE between the calls of `begin` and `end`.
struct idle_watch {
  nanoseconds time = 0;
  std::uint64_t idle = 0;

  static idle_watch now() { return {atl::now(), this_pe().counters->idle_nanoseconds}; }
  void begin() { *this = now(); }
  void end() {
    const idle_watch ended = now();
    *this = {ended.time - time, ended.idle - idle};
  }
};

/// Returns the fraction of time in which PEs were idle, over all PEs, between `begin` and `end`.
/// Each PE uses its own clock, because the calls of `begin` and `end` reach the PEs at different
/// times.
task<double> idle_fraction(per_pe<idle_watch> watches) {
  double idle = 0;
  double time = 0;
  for (int pe = 0; pe < pes(); ++pe) {
    const auto watched = co_await call(pe, [watches] { return watches.local(); });
    idle += static_cast<double>(watched.idle);
    time += static_cast<double>(watched.time);
  }
  co_return time > 0 ? idle / time : 0;
}

}  // namespace

task<outcome> measure(tree_parameters tree) {
  const auto built = co_await bench::uts::build(tree, job_settings().seed);
  const auto all = co_await in_memory::make_searchers(built, bench::uts::join_at::whole);
  outcome result;
  const auto watches = co_await per_pe<idle_watch>::make();
  const log_histogram earlier = co_await read_latencies();
  co_await on_all_pes([watches] { watches->begin(); });
  const double seconds = co_await in_memory::search_whole(all);
  result.seconds = seconds;
  co_await on_all_pes([watches] { watches->end(); });
  result.idle_fraction = co_await idle_fraction(watches);
  const log_histogram all_latencies = co_await read_latencies();
  const log_histogram latencies = all_latencies.since(earlier);
  result.latency_mean = latencies.mean();
  result.latency_quantile = static_cast<double>(latencies.quantile(0.99));
  const auto findings = co_await in_memory::collect(all);
  result.found = findings.found;
  co_await watches.destroy();
  co_await all.destroy();
  co_await built.vertices.destroy();
  co_return result;
}

}  // namespace atl::reproduction::concurrency
