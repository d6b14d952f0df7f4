// Measures the memory bandwidth as the number of cache lines per second that are read and written
// back. The program first runs on one core, and then on all cores at once. The program updates
// lines in the order of addresses and at random. A context switch transfers a few cache lines, so
// the bandwidth limits the rate of context switches on all cores.

#include <atomic>
#include <barrier>
#include <vector>

#include "atoll/random.hpp"
#include "support/cores.hpp"
#include "support/counters.hpp"
#include "support/flags.hpp"
#include "support/huge_array.hpp"
#include "support/json_line.hpp"

namespace {

struct options {
  std::uint64_t processes = 2, megabytes = 512, lines = 500000;
  double seconds = 0.5;
};

using lines = bench::huge_array<bench::line_counter>;

/// Number of lines in a part of the work. A part takes long compared with reading the clock, and
/// short compared with the measured time.
constexpr std::uint64_t part = 1 << 16;

/// Adds 1 to the counters of at most `part` successive lines. The first updated line has the number
/// `done` modulo the number of all lines. The function stops at the last line. Returns the number
/// of updated lines.
std::uint64_t update_in_order(const lines& memory, std::uint64_t done) {
  const auto first = done % memory.size();
  const auto count = std::min<std::uint64_t>(part, memory.size() - first);
  for (auto i = first; i < first + count; ++i) ++memory[i].value;
  return count;
}

/// Adds 1 to the counters of `part` random lines. The processor overlaps the cache misses.
std::uint64_t update_at_random(const lines& memory, std::uint64_t done) {
  const auto key = atl::random_key(1);
  for (auto i = done; i < done + part; ++i) {
    ++memory[atl::uniform_below(atl::random_at(key, i), memory.size())].value;
  }
  return part;
}

/// Returns the lines per second of all cores together. Each core has its own lines.
double measure(const options& o, std::uint64_t cores, std::uint64_t lines_a_core,
               std::uint64_t (*update)(const lines&, std::uint64_t)) {
  std::barrier together(static_cast<std::ptrdiff_t>(cores));
  std::atomic<double> rate = 0;
  std::atomic<std::uint64_t> updated = 0, found = 0;
  bench::run_pinned(cores, [&](std::size_t) {
    const lines memory(lines_a_core);
    memory.touch();
    together.arrive_and_wait();
    std::uint64_t done = 0;
    double seconds = 0;
    for (const bench::stopwatch watch; seconds < o.seconds; seconds = watch.seconds()) {
      done += update(memory, done);
    }
    together.arrive_and_wait();
    rate += static_cast<double>(done) / seconds;
    updated += done;
    found += bench::sum(memory);
  });
  if (updated != found) throw std::logic_error("an update was lost");
  return rate;
}

bool run(const options& o) {
  const auto in_order = o.megabytes * 1000000 / sizeof(bench::line_counter);
  bench::require_memory(static_cast<double>(o.processes * std::max(in_order, o.lines)) *
                        sizeof(bench::line_counter));
  const auto all_in_order = measure(o, o.processes, in_order, update_in_order);
  const auto all_at_random = measure(o, o.processes, o.lines, update_at_random);
  // Memory transfers each line twice, because the line is read and written back.
  constexpr double bytes_a_line = 2 * sizeof(bench::line_counter);
  bench::json_line(all_in_order, "lines/s")
      .add("rate_one_core", measure(o, 1, in_order, update_in_order))
      .add("rate_random", all_at_random)
      .add("rate_random_one_core", measure(o, 1, o.lines, update_at_random))
      .add("bytes_per_second", all_in_order * bytes_a_line)
      .add("bytes_per_second_random", all_at_random * bytes_a_line)
      .add("processes", static_cast<double>(o.processes))
      .add("lines_random", static_cast<double>(o.lines))
      .print();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("cache lines the memory reads and writes back each second");
  flags.add("processes", o.processes, 1, 1024, "cores at once");
  flags.add("megabytes", o.megabytes, 1, 1000000, "memory of a core that is updated in order");
  flags.add("lines", o.lines, 1, 1000000000, "cache lines of a core that are updated at random");
  flags.add("seconds", o.seconds, 0.001, 3600, "the time of each of the four measurements");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
