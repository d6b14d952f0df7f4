#include "peers/one_sided/measure.hpp"

#include <algorithm>
#include <numeric>

#include "support/cores.hpp"
#include "support/json_line.hpp"

namespace bench::one_sided {
namespace {

/// Returns the seconds of the slowest process. All processes get the same time, so all of them make
/// the same decisions.
double batch(library& all, operation& operation, std::uint64_t rounds) {
  all.barrier();
  return all.maximum(operation.run(rounds));
}

/// Returns the number of rounds in a batch that takes at least 0.2 ms. The number of rounds is
/// doubled until a batch takes 0.2 ms. The first, short batches also warm up the library, because
/// the first operations connect processes. If a batch takes 0.2 ms, it is repeated, and the shorter
/// time counts, because another program may have used the cores.
std::uint64_t rounds_by_time(library& all, operation& operation, const options& o) {
  constexpr double least = 2e-4, most = 2e-2;
  constexpr std::uint64_t many = 100, small = 4096;
  std::uint64_t rounds = 1;
  const auto trial = [&] {
    const double first = batch(all, operation, rounds);
    return first < least ? first : std::min(first, batch(all, operation, rounds));
  };
  double seconds = trial();
  while (seconds < least && rounds < 1 << 20) {
    rounds *= 2;
    seconds = trial();
  }
  const bool can_have_many = seconds / static_cast<double>(rounds) * many < most;
  return o.size <= small && can_have_many ? std::max(rounds, many) : rounds;
}

/// Returns the requested number of rounds, or a smaller number if the requested number would take
/// more than 6 seconds.
std::uint64_t rounds_by_number(library& all, operation& operation) {
  constexpr double most = 6;
  constexpr std::uint64_t trial = 10;
  const auto seconds = batch(all, operation, trial);
  const auto possible = static_cast<std::uint64_t>(most / (seconds / trial));
  return std::clamp<std::uint64_t>(possible, 1, operation.fixed_rounds());
}

/// Returns the quantile `part` of the values.
double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size()));
  return values[std::min(place, values.size() - 1)];
}

void print(const library& all, const operation& operation, const options& o,
           const std::vector<double>& seconds) {
  const double middle = median(seconds);
  const double rate = static_cast<double>(operation.callers()) / middle;
  const bool moves_bytes = o.operation != "barrier" && o.operation != "atomic";
  json_line line(rate, "1/s");
  line.add("nanoseconds", middle * 1e9)
      .add("nanoseconds_best", *std::min_element(seconds.begin(), seconds.end()) * 1e9)
      .add("nanoseconds_99", quantile(seconds, 0.99) * 1e9);
  if (moves_bytes) line.add("bytes_per_second", rate * static_cast<double>(o.size));
  line.add("operation", o.operation)
      .add("size", static_cast<double>(o.size))
      .add("processes", static_cast<double>(all.size()))
      .add("samples", static_cast<double>(seconds.size()))
      .add("way", o.way)
      .add("library", all.name())
      .print();
}

/// Runs a few rounds with new contents, to detect operations that move nothing after their first
/// round.
bool repeats_rightly(library& all, operation& operation) {
  constexpr unsigned seed = 2;
  operation.prepare(seed);
  batch(all, operation, 3);
  all.barrier();
  return operation.is_right(seed);
}

}  // namespace

std::vector<double> operation::measure(library& all, const options& o) {
  const auto rounds =
      fixed_rounds() != 0 ? rounds_by_number(all, *this) : rounds_by_time(all, *this, o);
  const auto operations = static_cast<double>(rounds * operations_of_round());
  constexpr std::size_t least = 3;
  std::vector<double> found;
  for (double spent = 0; spent < o.seconds || (found.size() < least && fixed_rounds() == 0);) {
    const auto seconds = batch(all, *this, rounds);
    spent += seconds;
    found.push_back(seconds / operations);
  }
  return found;
}

bool examine(library& all, operation& operation, const options& o) {
  constexpr unsigned seed = 1;
  operation.prepare(seed);
  all.barrier();
  const auto seconds = operation.measure(all, o);
  all.barrier();
  bool right = operation.is_right(seed);
  all.barrier();
  right = repeats_rightly(all, operation) && right;
  right = all.all(right);
  if (right && all.rank() == 0) print(all, operation, o, seconds);
  return right;
}

}  // namespace bench::one_sided
