#include "reproduction/model/machine_prices.hpp"

#include "atoll/graph/uts/sha1.hpp"
#include "atoll/graph/uts/steps.hpp"
#include "atoll/random.hpp"
#include "bench/support/cores.hpp"
#include "bench/support/huge_array.hpp"
#include "bench/uts_built_tree.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <vector>

namespace atl::reproduction::prices {
namespace {

using words = ::bench::huge_array<std::uint64_t>;

constexpr std::size_t bytes_beyond_caches = std::size_t{256} << 20;
constexpr std::uint64_t steps = 1 << 22;
constexpr int repeats = 5;

std::uint64_t cache_of_system(int index) {
  std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
  std::uint64_t kibibytes = 0;
  file >> kibibytes;
  return kibibytes << 10;
}

/// Returns the median time of `work` divided by `count`, in nanoseconds. The first run is not
/// timed, because it warms the caches.
template <class Work>
double nanoseconds_each(std::uint64_t count, const Work& work) {
  work();
  std::vector<double> found(repeats);
  for (double& each : found) {
    const ::bench::stopwatch watch;
    work();
    each = 1e9 * watch.seconds() / static_cast<double>(count);
  }
  return ::bench::median(found);
}

/// Makes the compiler believe that `value` is used, so that it does not remove the loop that
/// computes `value`.
void keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }

/// Returns the largest power of two up to `bytes`. With a size that is a power of two, a bit mask
/// turns a random number into an index.
std::uint64_t power_of_two_within(std::uint64_t bytes) { return std::bit_floor(bytes); }

words table_of(std::uint64_t bytes) {
  words table(power_of_two_within(bytes) / sizeof(std::uint64_t));
  std::fill(table.data(), table.data() + table.size(), 0);
  return table;
}

/// Updates random words of the table. The time of this function includes the computation of the
/// random indices.
void update(const words& table, std::uint64_t count) {
  std::uint64_t* const word = table.data();
  const std::uint64_t mask = table.size() - 1;
  for (std::uint64_t i = 0; i < count; ++i) word[hash(i) & mask] += i;
}

double line_of(std::uint64_t bytes) {
  const words table = table_of(bytes);
  return nanoseconds_each(steps, [&] { update(table, steps); });
}

/// Returns the cost of an access to a cache line in the slower of two memories. `measured` is the
/// mean cost of random accesses to a table of `bytes` bytes. `faster` bytes of the table lie in the
/// faster memory, where an access costs `price_of_faster`.
double beyond(double measured, std::uint64_t bytes, std::uint64_t faster, double price_of_faster) {
  const double part = std::min(1.0, static_cast<double>(faster) / static_cast<double>(bytes));
  return std::max(price_of_faster, (measured - part * price_of_faster) / (1 - part));
}

/// Returns the nanoseconds per update of a core, while each core updates its own table of `bytes`
/// bytes.
double line_of_each(std::uint64_t cores, std::uint64_t bytes) {
  std::barrier together(static_cast<std::ptrdiff_t>(cores));
  std::vector<double> found(cores);
  ::bench::run_pinned(cores, [&](std::size_t core) {
    const words table = table_of(bytes);
    update(table, steps);
    together.arrive_and_wait();
    const ::bench::stopwatch watch;
    update(table, 4 * steps);
    found[core] = 1e9 * watch.seconds() / (4 * static_cast<double>(steps));
    together.arrive_and_wait();
  });
  return ::bench::median(found);
}

/// Returns the number of bytes of the third-level cache that each core can use while all cores are
/// busy. The function times updates of tables that are as large as an equal share of the cache. The
/// result may be smaller than an equal share, because other virtual machines may use the same
/// cache.
std::uint64_t third_level_that_serves(const machine& priced, std::uint64_t cores) {
  const caches& held = priced.held;
  const auto all = static_cast<double>(held.third_level);
  const auto second = static_cast<double>(held.second_level);
  if (priced.memory_line <= priced.third_level_line) return held.third_level;
  const double measured = line_of_each(cores, held.third_level);
  const auto updated = static_cast<double>(power_of_two_within(held.third_level));
  const double serves = (updated * (priced.memory_line - measured) -
                         second * (priced.third_level_line - priced.second_level_line)) /
                        (priced.memory_line - priced.third_level_line);
  return static_cast<std::uint64_t>(std::clamp(serves, second, all));
}

/// Returns the size in bytes of a table that is much larger than all caches.
std::uint64_t bytes_of_large_table(const caches& held) {
  return power_of_two_within(std::max<std::uint64_t>(bytes_beyond_caches, 8 * held.third_level));
}

void measure_lines(machine& found, std::uint64_t cores) {
  found.second_level_line = line_of(found.held.second_level / 2);
  const std::uint64_t between =
      power_of_two_within(std::min(4 * found.held.second_level, found.held.third_level));
  found.third_level_line =
      found.held.third_level <= found.held.second_level
          ? found.second_level_line
          : beyond(line_of(between), between, found.held.second_level, found.second_level_line);
  const std::uint64_t large = bytes_of_large_table(found.held);
  found.memory_line = beyond(line_of(large), large, found.held.third_level, found.third_level_line);
  found.held.third_level = third_level_that_serves(found, cores);
  constexpr double bytes_of_an_update = 2 * 64;
  found.memory_gap_per_byte =
      line_of_each(cores, bytes_beyond_caches) / (bytes_of_an_update * static_cast<double>(cores));
}

/// Returns the nanoseconds to hash a node of a UTS tree and to compute the number of its children.
double nanoseconds_of_a_hash() {
  using namespace graph::uts;
  constexpr std::uint32_t pairs = 50;
  constexpr std::uint64_t rounds = 4000;
  const graph::tree_steps whole(*find_tree("T1"));
  const children_steps& steps = whole.at_depth(1);
  return nanoseconds_each(2 * pairs * rounds, [&] {
    tree_vertex parent = root_of(19);
    std::uint64_t children = 0;
    for (std::uint64_t round = 0; round < rounds; ++round)
      for (std::uint32_t next = 0; next < pairs; ++next) {
        const auto both = children_of<2>(parent, 2 * next);
        for (const tree_vertex& node : both) children += steps(random_value(node));
        parent = both[next % 2];
      }
    keep(children);
  });
}

double nanoseconds_of_a_place() {
  const bench::uts::random_places places(1, 3 * steps / 4);
  return nanoseconds_each(steps / 2, [&] {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < steps / 2; ++i) sum += places(i);
    keep(sum);
  });
}

/// Returns the nanoseconds to look up a random bit in a table that fits into the second-level
/// cache.
double nanoseconds_of_an_edge() {
  const words table = table_of(256 << 10);
  return nanoseconds_each(steps, [&] {
    const std::uint64_t mask = 64 * table.size() - 1;
    std::uint64_t set = 0;
    for (std::uint64_t i = 0; i < steps; ++i) {
      const std::uint64_t bit = hash(i) & mask;
      set += table[bit / 64] >> bit % 64 & 1;
    }
    keep(set);
  });
}

/// Returns the cost in nanoseconds of a mispredicted end of a loop, which occurs once per vertex.
/// The measured loop looks up neighbours of each vertex until one is found, with a probability of
/// one half each. The time for the edges is subtracted.
double nanoseconds_of_a_vertex(double of_an_edge) {
  const words found = table_of(256 << 10);
  for (std::uint64_t i = 0; i < found.size(); ++i) found[i] = hash(i);
  std::uint64_t edges = 0;
  const double each = nanoseconds_each(steps, [&] {
    const std::uint64_t mask = 64 * found.size() - 1;
    std::uint64_t next = 0;
    for (std::uint64_t vertex = 0; vertex < steps; ++vertex)
      for (bool is_found = false; !is_found; ++next) {
        const std::uint64_t bit = hash(next) & mask;
        is_found = (found[bit / 64] >> bit % 64 & 1) != 0;
      }
    edges = next;
  });
  return std::max(0.0, each - of_an_edge * static_cast<double>(edges) / steps);
}

double nanoseconds_of_a_copied_byte(std::size_t bytes, std::uint64_t rounds) {
  const ::bench::huge_block from(bytes);
  const ::bench::huge_block to(bytes);
  from.touch();
  return nanoseconds_each(bytes * rounds, [&] {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      std::memcpy(to.data(), from.data(), bytes);
      keep(static_cast<std::uint64_t>(to.data()[round % bytes]));
    }
  });
}

/// Returns the nanoseconds of a switch between two threads on one core. In each turn, a thread
/// updates 256 KiB of memory and then yields the core. The time of the updates is subtracted.
double nanoseconds_of_a_core_switch() {
  constexpr std::uint64_t updates = 4096;
  constexpr int turns = 2000;
  std::atomic<std::size_t> turn = 0;
  std::vector<double> found(2);
  ::bench::run_pinned(2, [&](std::size_t self) {
    ::bench::pin_to_processor(0);
    const words own = table_of(256 << 10);
    const auto work = [&] { update(own, updates); };
    while (turn != self) sched_yield();
    const double alone = nanoseconds_each(1, work);
    turn = 1 - self;
    const ::bench::stopwatch watch;
    for (int i = 0; i < turns; ++i) {
      while (turn != self) sched_yield();
      work();
      turn = 1 - self;
    }
    found[self] = 1e9 * watch.seconds() / (2 * turns) - alone;
  });
  return std::max(0.0, ::bench::median(found));
}

}  // namespace

caches caches_of_machine(std::uint64_t cores) {
  constexpr std::uint64_t usual = 1 << 20;
  const std::uint64_t second = cache_of_system(2);
  const std::uint64_t third = cache_of_system(3) / cores;
  caches found{second != 0 ? second : usual, 0};
  found.third_level = std::max(found.second_level, third);
  return found;
}

std::uint64_t bytes_to_measure_machine(std::uint64_t cores) {
  constexpr std::uint64_t of_threads = std::uint64_t{44}
                                       << 20;  // additional memory for the measurement on one core
  return std::max(cores * (bytes_beyond_caches + of_threads),
                  bytes_of_large_table(caches_of_machine(cores)) + of_threads);
}

machine measure_machine(std::uint64_t cores) {
  machine found{.held = caches_of_machine(cores)};
  measure_lines(found, cores);
  found.tree_node_hashed = nanoseconds_of_a_hash();
  found.place_scrambled = nanoseconds_of_a_place();
  found.edge_scanned = nanoseconds_of_an_edge();
  found.vertex_visited = nanoseconds_of_a_vertex(found.edge_scanned);
  found.byte_copied = nanoseconds_of_a_copied_byte(std::size_t{64} << 20, 1);
  found.byte_copied_in_caches = nanoseconds_of_a_copied_byte(32 << 10, 4000);
  found.core_switch = nanoseconds_of_a_core_switch();
  return found;
}

}  // namespace atl::reproduction::prices
