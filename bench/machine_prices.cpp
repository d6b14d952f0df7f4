#include "bench/machine_prices.hpp"

#include "atoll/base/random.hpp"
#include "atoll/kernels/uts_siblings.hpp"
#include "bench/support/cores.hpp"
#include "bench/support/huge_array.hpp"

#include <algorithm>
#include <barrier>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <vector>

namespace atl::bench::prices {
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

/// The median time of `work` by its `count` parts, in nanoseconds; the first time does not count.
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

/// So that what a loop computes is computed.
void keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }

std::size_t power_of_two_within(std::uint64_t bytes) {
  std::size_t size = 1;
  while (2 * size * sizeof(std::uint64_t) <= bytes) size *= 2;
  return size;
}

/// Updates of words at random, the indices drawn on the way.
void update(const words& table, std::uint64_t count) {
  std::uint64_t* const word = table.data();
  const std::uint64_t mask = table.size() - 1;
  for (std::uint64_t i = 0; i < count; ++i) word[hash(i) & mask] += i;
}

double line_of(std::uint64_t bytes) {
  const words table(power_of_two_within(bytes));
  std::fill(table.data(), table.data() + table.size(), 0);
  return nanoseconds_each(steps, [&] { update(table, steps); });
}

/// What a line costs that only the slower memory holds, where the faster one holds so many of all
/// bytes.
double beyond(double measured, std::uint64_t bytes, std::uint64_t faster, double price_of_faster) {
  const double part = std::min(1.0, static_cast<double>(faster) / static_cast<double>(bytes));
  return std::max(price_of_faster, (measured - part * price_of_faster) / (1 - part));
}

void measure_lines(machine& found) {
  found.second_level_line = line_of(found.held.second_level / 2);
  const std::uint64_t between = std::max(4 * found.held.second_level, found.held.third_level / 2);
  found.third_level_line =
      found.held.third_level <= found.held.second_level
          ? found.second_level_line
          : beyond(line_of(between), between, found.held.second_level, found.second_level_line);
  const std::uint64_t large =
      std::max<std::uint64_t>(bytes_beyond_caches, 8 * found.held.third_level);
  found.memory_line = beyond(line_of(large), large, found.held.third_level, found.third_level_line);
}

double nanoseconds_of_a_hash() {
  using namespace kernels::uts;
  constexpr std::uint32_t pairs = 50;
  constexpr std::uint64_t rounds = 4000;
  return nanoseconds_each(2 * pairs * rounds, [] {
    state parent = root_of(19);
    for (std::uint64_t round = 0; round < rounds; ++round)
      for (std::uint32_t next = 0; next < pairs; ++next)
        parent = children_of<2>(parent, 2 * next)[next % 2];
    keep(tree::random_value(parent));
  });
}

/// A bit looked up at random in a table that the second-level cache holds.
double nanoseconds_of_an_edge() {
  const words table(power_of_two_within(256 << 10));
  std::fill(table.data(), table.data() + table.size(), 0);
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

/// All cores update memory at random at once: two transfers of a line each.
double gap_of_all_cores(std::uint64_t cores) {
  std::barrier together(static_cast<std::ptrdiff_t>(cores));
  std::vector<double> seconds(cores);
  ::bench::run_pinned(cores, [&](std::size_t core) {
    const words table(power_of_two_within(bytes_beyond_caches));
    std::fill(table.data(), table.data() + table.size(), 0);
    together.arrive_and_wait();
    const ::bench::stopwatch watch;
    update(table, 4 * steps);
    seconds[core] = watch.seconds();
    together.arrive_and_wait();
  });
  constexpr double bytes_of_an_update = 2 * 64;
  return 1e9 * ::bench::median(seconds) /
         (bytes_of_an_update * 4 * static_cast<double>(steps * cores));
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

machine measure_machine(std::uint64_t cores) {
  machine found{.held = caches_of_machine(cores)};
  measure_lines(found);
  found.memory_gap_per_byte = gap_of_all_cores(cores);
  found.tree_node_hashed = nanoseconds_of_a_hash();
  found.edge_scanned = nanoseconds_of_an_edge();
  found.byte_copied = nanoseconds_of_a_copied_byte(std::size_t{64} << 20, 1);
  found.byte_copied_in_caches = nanoseconds_of_a_copied_byte(32 << 10, 4000);
  return found;
}

}  // namespace atl::bench::prices
