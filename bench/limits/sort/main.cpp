// Measures how fast a plain program without Atoll sorts integers on one machine, by a bucket sort
// with OpenMP. The program sorts the keys of `atoll bench sort --class`, and measures the time by
// the rules of NAS.

#include <algorithm>

#include "bucket_sort.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"

namespace {

struct options {
  std::string name = "A";
  std::uint64_t threads = 2;
  bool verify = false;
};

const atl::nas_class& class_of(const options& o) {
  const auto* found = o.name.size() == 1 ? atl::nas_class_of(o.name.front()) : nullptr;
  if (found == nullptr)
    throw bench::bad_input("--class: '" + o.name + "' is none of S, W, A, B, C");
  return *found;
}

/// Returns whether the result is in ascending order and has each value as often as the input has
/// it.
bool is_right(const bench::sort::bucket_sort& of, std::uint64_t range) {
  std::vector<std::uint32_t> counts(range);
  for (const auto each : of.keys()) ++counts[each];
  for (const auto each : of.sorted()) --counts[each];
  return std::ranges::is_sorted(of.sorted()) &&
         std::ranges::all_of(counts, [](auto count) { return count == 0; });
}

/// Measures ten rankings. Returns false if a tested rank differs from the published rank.
bool time_rankings(bench::sort::bucket_sort& of, double& seconds) {
  of.restore();
  std::uint64_t passed = 0;
  const bench::stopwatch watch;
  for (std::uint64_t i = 1; i <= atl::nas_class::iterations; ++i) passed += of.rank(i);
  seconds = watch.seconds();
  return passed == atl::nas_class::iterations * atl::nas_class::tested_keys;
}

/// Returns false for a wrong result.
bool measure(const options& o, const atl::nas_class& of) {
  bench::sort::bucket_sort sort(of);
  sort.rank(1);  // a warm-up run, which NAS does not measure
  double seconds = 0;
  const bool passed = time_rankings(sort, seconds);
  const bench::stopwatch watch;
  sort.sort();
  const double seconds_sorted = watch.seconds();
  const auto keys = static_cast<double>(of.keys());
  bench::json_line(keys * static_cast<double>(atl::nas_class::iterations) / seconds, "keys/s")
      .add("seconds", seconds)
      .add("rate_sorted", keys / seconds_sorted)
      .add("keys", keys)
      .add("threads", static_cast<double>(o.threads))
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return passed && (!o.verify || is_right(sort, of.range()));
}

bool run(const options& o) {
  const auto& of = class_of(o);
  bench::require_memory(static_cast<double>(3 * of.keys() + of.range()) * sizeof(bench::sort::key));
  bench::bind_threads(o.threads);
  return measure(o, of);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of NAS IS by a bucket sort in shared memory");
  flags.add("class", o.name, "S, W, A, B or C of NAS IS");
  flags.add("threads", o.threads, 1, 1024, "threads of OpenMP, each bound to a processor");
  flags.add("verify", o.verify, "check the order of the sorted keys, and count them");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
