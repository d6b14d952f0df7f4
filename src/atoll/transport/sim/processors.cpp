#include "atoll/transport/sim/processors.hpp"

#include "atoll/base/pe.hpp"

#include <algorithm>
#include <utility>

namespace atl::transport::sim {
namespace {

constexpr double line_bytes = 64;
/// A line that comes from memory has driven out another, which was written.
constexpr double transfers_of_a_line = 2;

/// Picoseconds of one look, so that absurd prices overflow nothing: a day.
constexpr double most_at_once = 86'400e12;

/// The part of so many bytes that a cache does not hold.
double part_beyond(std::int64_t cache, std::uint64_t bytes) {
  const double all = static_cast<double>(bytes);
  return all == 0 ? 0 : std::max(0.0, 1 - static_cast<double>(cache) / all);
}

}  // namespace

processors::processors(const model& parameters, int pes, std::uint64_t node_size)
    : parameters_(parameters),
      node_size_(node_size),
      processors_(static_cast<std::size_t>(pes),
                  {std::vector<std::uint64_t>(parameters.prices.size()), 0}),
      to_memory_(static_cast<std::size_t>(pes - 1) / node_size + 1) {}

double processors::part_from_memory(const model& parameters, std::uint64_t bytes) {
  return part_beyond(std::max(parameters.second_level, parameters.third_level), bytes);
}

double processors::price_of_line(const model& parameters, std::uint64_t bytes) {
  const double beyond_second = part_beyond(parameters.second_level, bytes);
  const double from_memory = part_from_memory(parameters, bytes);
  return (1 - beyond_second) * static_cast<double>(parameters.second_level_line) +
         (beyond_second - from_memory) * static_cast<double>(parameters.third_level_line) +
         from_memory * static_cast<double>(parameters.memory_line);
}

/// Before the PE is assembled, and after it, nothing is counted.
processors::work processors::new_work(processor& of) const {
  work found;
  if (current_pe == nullptr) return found;
  const observe::counters& counted = *current_pe->counters;
  for (std::size_t i = 0; i < parameters_.prices.size(); ++i) {
    const price& each = parameters_.prices[i];
    const std::uint64_t present = counted.*each.counter;
    const auto more = static_cast<double>(present - std::exchange(of.paid[i], present));
    found.time += static_cast<double>(each.each) * more;
    found.lines += static_cast<double>(each.lines) * more;
    found.bytes += static_cast<double>(each.bytes) * more;
  }
  if (found.lines > 0) {
    const std::uint64_t held = counted.global_bytes_peak;
    found.time += found.lines * price_of_line(parameters_, held);
    found.bytes +=
        found.lines * part_from_memory(parameters_, held) * line_bytes * transfers_of_a_line;
  }
  return found;
}

// It empties as time passes. A PE that has computed for long is ahead of the others, which do not
// wait for what it moves later than they do.
picoseconds processors::by_the_way_to_memory(int pe, picoseconds time, double bytes) {
  memory_way& way = to_memory_[static_cast<std::size_t>(pe) / node_size_];
  const double gap = static_cast<double>(parameters_.memory_gap_per_byte);
  const auto own = static_cast<picoseconds>(std::min(most_at_once, bytes * gap));
  if (time < way.time) {
    way.backlog += own;
    return own;
  }
  way.backlog = std::max<picoseconds>(0, way.backlog - (time - way.time)) + own;
  way.time = time;
  return way.backlog;
}

// Work and the way to memory overlap.
nanoseconds processors::take(moment at, picoseconds more) {
  processor& of = processors_[static_cast<std::size_t>(at.pe)];
  const work done = new_work(of);
  const picoseconds begin = at.time * per_nanosecond;
  picoseconds whole = of.owed + more + static_cast<picoseconds>(std::min(most_at_once, done.time));
  if (done.bytes > 0) whole = std::max(whole, by_the_way_to_memory(at.pe, begin, done.bytes));
  of.owed = whole % per_nanosecond;
  return whole / per_nanosecond;
}

}  // namespace atl::transport::sim
