#pragma once
// The benchmark that sorts integer keys: IS of the NAS benchmarks, or one sort of other keys. By
// the rules of NAS, the time begins with the keys in memory and ends when all PEs know the ranks.

#include "atoll/pe.hpp"
#include "atoll/random.hpp"
#include "atoll/sort.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace atl::bench::integer_sort {

/// The results of a run, for all PEs together.
struct outcome {
  double seconds = 0;         ///< time of the ten rankings of NAS, or of one sort
  double seconds_sorted = 0;  ///< time of one sort that writes the keys in order
  std::uint64_t keys = 0;
  std::uint64_t rankings = 0;      ///< number of rankings in `seconds`; 0: one sort
  std::uint64_t tests_passed = 0;  ///< number of passed tests of NAS; each ranking has five
  std::uint64_t most_of_pe = 0;    ///< largest number of keys on one PE after the sort

  double rate() const { return static_cast<double>(keys) * rounds() / seconds; }
  double rate_sorted() const { return static_cast<double>(keys) / seconds_sorted; }
  bool passed() const { return tests_passed == rankings * nas_class::tested_keys; }

 private:
  double rounds() const { return rankings == 0 ? 1 : static_cast<double>(rankings); }
};

/// The sort of the library. A class for another sort needs the functions `all_rank` and `all_sort`,
/// which every PE calls.
struct of_library {
  auto all_rank(global_keys keys, std::span<const std::uint64_t> indices) const {
    return atl::all_rank(keys, indices);
  }
  task<> all_sort(global_keys keys) const { return atl::all_sort(keys); }
};

// The keys of NAS.

/// Makes the keys of the NAS class `of`, as they are before the first iteration. One task calls
/// this function. Throws the errors of `make_keys`.
inline task<global_keys> make_nas_keys(nas_class of) {
  const auto make = [of](std::uint64_t first) {
    return [from = nas_keys(of, first)]() mutable { return from.next(); };
  };
  return make_keys(of.keys(), of.bits, make);
}

/// The random generator of NAS, as the report on NAS defines it: in double precision, with each
/// number split into two halves of 23 bits.
class nas_reals {
 public:
  double next() {
    x_ = product(x_, 1220703125.0);
    return x_ * 0x1p-46;
  }
  /// Skips `count` numbers.
  void skip(std::uint64_t count) {
    for (double factor = 1220703125.0; count != 0; count /= 2, factor = product(factor, factor))
      if (count % 2 != 0) x_ = product(x_, factor);
  }

 private:
  static double product(double a, double b) {
    const double a1 = std::trunc(a * 0x1p-23), a2 = a - a1 * 0x1p23;
    const double b1 = std::trunc(b * 0x1p-23), b2 = b - b1 * 0x1p23;
    const double middle = a1 * b2 + a2 * b1;
    const double low = middle - std::trunc(middle * 0x1p-23) * 0x1p23;
    const double sum = low * 0x1p23 + a2 * b2;
    return sum - std::trunc(sum * 0x1p-46) * 0x1p46;
  }

  double x_ = 314159265.0;
};

/// The keys of a NAS class (a problem size) after the last iteration, as NAS defines them. Each
/// call returns the next key.
class defined_keys {
 public:
  defined_keys(const nas_class& of, std::uint64_t first) : range_(of.range()), index_(first) {
    random_.skip(4 * first);
  }

  std::uint64_t operator()() {
    double sum = random_.next();
    for (int more = 0; more < 3; ++more) sum += random_.next();
    const std::uint64_t index = index_++;
    if (index >= 1 && index <= nas_class::iterations) return index;
    if (index > nas_class::iterations && index <= 2 * nas_class::iterations)
      return range_ - (index - nas_class::iterations);
    return static_cast<std::uint64_t>(sum * (static_cast<double>(range_) / 4));
  }

 private:
  nas_reals random_;
  std::uint64_t range_;
  std::uint64_t index_;
};

/// Checks the order of the keys of the NAS class `of` after a run. One task calls this function.
/// Throws atl::error (wrong_result).
inline task<> verify_nas_keys(global_keys keys, nas_class of, site where = site::current()) {
  return verify(keys, [of](std::uint64_t first) { return defined_keys(of, first); }, where);
}

// The measured runs.

/// Performs an iteration of NAS IS: replaces two keys, ranks all keys, and looks up the ranks of
/// the tested keys. Returns how many tested keys this PE owns and has ranked correctly. Every PE
/// calls this function.
template <class How>
task<std::uint64_t> all_iterate(global_keys keys, How how, const nas_class& of,
                                std::uint64_t iteration) {
  for (const auto& [index, key] : nas_changes(of, iteration)) keys.local_replace(index, key);
  std::array<std::uint64_t, nas_class::tested_keys> tested{};
  std::ranges::transform(of.tests, tested.begin(), &nas_test::index);
  const auto ranks = co_await how.all_rank(keys, tested);
  std::uint64_t right = 0;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    if (!ranks[i]) continue;
    const auto rank = static_cast<std::int64_t>(*ranks[i]);
    right += rank == of.tests[i].rank_in(iteration) ? 1 : 0;
  }
  co_return right;
}

/// Restores the keys that the iterations have changed. Every PE calls this function.
inline void restore_nas_keys(global_keys keys, const nas_class& of) {
  nas_keys from(of, 0);
  for (std::uint64_t i = 0; i <= 2 * nas_class::iterations; ++i) keys.local_replace(i, from.next());
}

/// Performs one sort and returns its time in seconds. Every PE calls this function.
template <class How>
task<double> all_time_sort(global_keys keys, How how) {
  co_await all_barrier();
  const auto begin = now();
  co_await how.all_sort(keys);
  co_await all_barrier();
  co_return seconds_since(begin);
}

/// Performs the ten rankings of NAS. Returns the time and the number of passed tests of this PE.
/// Every PE calls this function.
template <class How>
task<outcome> all_rank_again_and_again(global_keys keys, nas_class of, How how) {
  outcome found;
  restore_nas_keys(keys, of);
  co_await all_barrier();
  const auto begin = now();
  for (std::uint64_t iteration = 1; iteration <= nas_class::iterations; ++iteration)
    found.tests_passed += co_await all_iterate(keys, how, of, iteration);
  co_await all_barrier();
  found.seconds = seconds_since(begin);
  found.rankings = nas_class::iterations;
  co_return found;
}

/// If `of` is a class of NAS, runs its benchmark and then sorts the keys of the last iteration
/// once. If `of` is the default, whose `bits` is 0, sorts the given keys once. Every PE calls this
/// function.
template <class How = of_library>
task<outcome> all_run(global_keys keys, nas_class of = {}, How how = {}) {
  outcome found;
  if (of.bits != 0) found = co_await all_rank_again_and_again(keys, of, how);
  found.seconds_sorted = co_await all_time_sort(keys, how);
  if (of.bits == 0) found.seconds = found.seconds_sorted;
  found.keys = keys.size();
  found.most_of_pe = keys.local_size();
  // The slowest PE determines the time of the run.
  const auto of_both = [](outcome a, const outcome& b) {
    a.seconds = std::max(a.seconds, b.seconds);
    a.seconds_sorted = std::max(a.seconds_sorted, b.seconds_sorted);
    a.tests_passed += b.tests_passed;
    a.most_of_pe = std::max(a.most_of_pe, b.most_of_pe);
    return a;
  };
  co_return co_await all_reduce(found, of_both);
}

}  // namespace atl::bench::integer_sort
