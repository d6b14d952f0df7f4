// Measures how fast a plain program without Atoll performs random updates. Every core runs the loop
// of HPCC RandomAccess on its own table in huge pages, without communication. Like the runtime, the
// loop prefetches words. Without prefetches, fewer cache misses would be in flight at a time.

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <numeric>

#include "atoll/random.hpp"
#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/huge_array.hpp"
#include "support/json_line.hpp"
#include "support/prefetch.hpp"

namespace {

struct options {
  std::uint64_t log2_table = 25, updates_per_word = 4, processes = 2, passes = 1;
  bool verify = false;
};

using table = bench::huge_array<std::uint64_t>;

/// Performs one pass over this core's part of the stream.
void update(const table& words, std::int64_t first, std::uint64_t updates) {
  atl::hpcc_stream stream(first), ahead(first + std::int64_t{bench::near_distance});
  std::uint64_t* const word = words.data();
  const auto mask = words.size() - 1;
  for (std::uint64_t i = 0; i < updates; ++i) {
    bench::bring_near(word + (ahead.next() & mask));
    const auto r = stream.next();
    word[r & mask] ^= r;
  }
}

/// Returns whether the table has its initial contents. A second pass undoes every update of the
/// first pass, so the contents are initial after an even number of passes.
bool is_initial(const table& words) {
  for (std::uint64_t i = 0; i < words.size(); ++i) {
    if (words[i] != i) return false;
  }
  return true;
}

struct result {
  std::vector<double> seconds;  // time of each pass
  double bytes_in_huge_pages = 0;
  bool right = true;
};

std::vector<table> allocate(const options& o) {
  const auto bytes =
      static_cast<double>(o.processes) * std::ldexp(8, static_cast<int>(o.log2_table));
  bench::require_memory(bytes);
  std::vector<table> tables;
  for (std::uint64_t k = 0; k < o.processes; ++k)
    tables.emplace_back(std::size_t{1} << o.log2_table);
  return tables;
}

result measure(const options& o) {
  const auto tables = allocate(o);
  const auto updates = o.updates_per_word << o.log2_table;
  result all{std::vector<double>(o.passes)};
  std::atomic<bool> right = true;
  std::barrier together(static_cast<std::ptrdiff_t>(o.processes));
  bench::run_pinned(o.processes, [&](std::size_t k) {
    const auto& words = tables[k];
    std::iota(words.begin(), words.end(), std::uint64_t{0});
    const auto first = static_cast<std::int64_t>(k * updates);
    update(words, first, updates);  // a warm-up run, as in Atoll's benchmark
    for (auto& seconds : all.seconds) {
      together.arrive_and_wait();
      const bench::stopwatch watch;
      update(words, first, updates);
      together.arrive_and_wait();
      if (k == 0) seconds = watch.seconds();
    }
    if (!o.verify) return;
    if (o.passes % 2 == 0) update(words, first, updates);
    if (!is_initial(words)) right = false;
  });
  all.right = right;
  all.bytes_in_huge_pages = bench::bytes_in_huge_pages();
  return all;
}

bool run(const options& o) {
  const auto measured = measure(o);
  const auto seconds = bench::median(measured.seconds);
  const auto best = *std::min_element(measured.seconds.begin(), measured.seconds.end());
  const auto cores = static_cast<double>(o.processes);
  const auto updates = cores * static_cast<double>(o.updates_per_word << o.log2_table);
  bench::json_line(updates / seconds, "updates/s")
      .add("rate_per_core", updates / seconds / cores)
      .add("rate_best", updates / best)
      .add("seconds", seconds)
      .add("processes", cores)
      .add("log2_table", static_cast<double>(o.log2_table))
      .add("updates", updates)
      .add("passes", static_cast<double>(o.passes))
      .add("bytes_in_huge_pages", measured.bytes_in_huge_pages)
      .print();
  return measured.right;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of the random-update loop of HPCC, one on each core");
  flags.add("log2-table", o.log2_table, 1, 40, "2^N words of 8 bytes a core");
  flags.add("updates-per-word", o.updates_per_word, 1, 1024, "updates of a pass, per word");
  flags.add("processes", o.processes, 1, 1024, "cores that run the loop at once");
  flags.add("passes", o.passes, 1, 1000, "timed passes; the rate is that of the median one");
  flags.add("verify", o.verify, "take the updates back and look whether the tables are as before");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
