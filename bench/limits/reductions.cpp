// Measures how fast a plain program without Atoll performs reductions: all cores run the plain loop
// of a histogram at the same time. The buckets are private to a core or shared by all cores.
// Increments of shared buckets may be lost. The random buckets are chosen before the time is
// measured.

#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/huge_array.hpp"
#include "support/json_line.hpp"
#include "support/random_buckets.hpp"

#include <atomic>
#include <barrier>
#include <numeric>

namespace {

struct options {
  std::uint64_t buckets = 256 << 10, reductions = 4 << 20, processes = 2, passes = 5;
  bool shared = false, zipf = false;
};

using counts = bench::huge_array<std::uint64_t>;
using picks = bench::huge_array<std::uint32_t>;

void add_all(const counts& into, const picks& picked) {
  for (const std::uint32_t bucket : picked) ++into[bucket];
}

/// Adds to shared buckets by relaxed atomic loads and stores. Increments may be lost, but there is
/// no data race.
void add_all_shared(const counts& into, const picks& picked) {
  for (const std::uint32_t bucket : picked) {
    const std::atomic_ref<std::uint64_t> word(into[bucket]);
    word.store(word.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
}

picks pick(const options& o, std::uint64_t task) {
  picks picked(o.reductions);
  std::uint64_t k = 0;
  atl::bench::for_each_pick(o.zipf, o.buckets, o.reductions, 1, task, [&](std::uint64_t bucket) {
    picked[k++] = static_cast<std::uint32_t>(bucket);
  });
  return picked;
}

std::vector<double> measure(const options& o) {
  std::vector<counts> tables;
  for (std::uint64_t k = 0; k < (o.shared ? 1 : o.processes); ++k) tables.emplace_back(o.buckets);
  std::vector<double> seconds(o.passes);
  std::barrier together(static_cast<std::ptrdiff_t>(o.processes));
  bench::run_pinned(o.processes, [&](std::size_t k) {
    const picks picked = pick(o, k);
    const counts& mine = tables[o.shared ? 0 : k];
    const auto add = o.shared ? add_all_shared : add_all;
    add(mine, picked);  // a warm-up run, as in Atoll's benchmark
    for (auto& each : seconds) {
      together.arrive_and_wait();
      const bench::stopwatch watch;
      add(mine, picked);
      together.arrive_and_wait();
      if (k == 0) each = watch.seconds();
    }
  });
  return seconds;
}

bool run(const options& o) {
  const double seconds = bench::median(measure(o));
  const auto reductions = static_cast<double>(o.processes * o.reductions);
  bench::json_line(reductions / seconds, "reductions/s")
      .add("seconds", seconds)
      .add("processes", static_cast<double>(o.processes))
      .print();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of the plain loop of a histogram, one on each core");
  flags.add("buckets", o.buckets, 1, std::uint64_t{1} << 31, "counters of 8 bytes");
  flags.add("reductions", o.reductions, 1, std::uint64_t{1} << 31, "of each core");
  flags.add("processes", o.processes, 1, 1024, "cores that run the loop at once");
  flags.add("passes", o.passes, 1, 1000, "timed passes; the rate is that of the median one");
  flags.add("shared", o.shared, "all count in the same buckets");
  flags.add("zipf", o.zipf, "buckets by Zipf's law");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
