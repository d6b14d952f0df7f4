#pragma once
// Threads that push to and pop from one shared stack or queue at random. The fraction `mix` of
// operations are pushes.

#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"

#include <atomic>
#include <cstdint>
#include <string>

namespace bench::ordered {

struct options {
  std::string structure = "queue";
  double mix = 1;
  std::uint64_t operations = 10'000'000;
  std::uint64_t prefill = 0;
  std::uint64_t threads = 2;
};

/// Returns number `i` of the random sequence of splitmix64.
inline std::uint64_t random_at(std::uint64_t key, std::uint64_t i) {
  std::uint64_t x = key + (i + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The number and the sum of the pushed values, minus the number and the sum of the popped values.
/// Both differences are 0 if every value was popped as often as it was pushed.
struct balance {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;

  void in(std::uint64_t value) { ++count, sum += value; }
  void out(std::uint64_t value) { --count, sum -= value; }
};

/// Pushes and pops as many elements as the measured part pushes, so that their memory is touched.
template <class Structure>
void touch_memory(Structure& shared, const options& o) {
  const auto pushed = static_cast<std::uint64_t>(o.mix * static_cast<double>(o.operations));
  for (std::uint64_t i = 0; i < pushed + o.prefill; ++i) shared.push(i);
  for (std::uint64_t value = 0; shared.pop(value);) {
  }
}

/// Measures `shared` and prints the line of results. `shared` must have push(value) and
/// pop(value&). Returns false if elements were lost, or if elements were popped that nobody had
/// pushed.
template <class Structure>
bool measure(Structure& shared, const options& o) {
  balance all;
  touch_memory(shared, o);
  for (std::uint64_t i = 0; i < o.prefill; ++i) {
    shared.push(i);
    all.in(i);
  }
  const std::uint64_t each = o.operations / o.threads;
  const auto pushes = static_cast<std::uint64_t>(o.mix * 0x1p32);
  std::atomic<std::uint64_t> count = 0;
  std::atomic<std::uint64_t> sum = 0;
  const stopwatch watch;
  run_pinned(o.threads, [&](std::size_t me) {
    balance mine;
    for (std::uint64_t i = 0; i < each; ++i) {
      std::uint64_t value = std::uint64_t{me} << 32 | i;
      if (random_at(me, i) >> 32 < pushes) {
        shared.push(value);
        mine.in(value);
      } else if (shared.pop(value)) {
        mine.out(value);
      }
    }
    count += mine.count;
    sum += mine.sum;
  });
  const double seconds = watch.seconds();
  all.count += count;
  all.sum += sum;
  for (std::uint64_t value = 0; shared.pop(value);) all.out(value);
  const auto done = static_cast<double>(each * o.threads);
  json_line(done / seconds, "operations/s")
      .add("seconds", seconds)
      .add("threads", static_cast<double>(o.threads))
      .print();
  return all.count == 0 && all.sum == 0;
}

/// Implements `main` of a program that measures one container. `run(options)` performs the
/// measurement.
template <class Run>
int run_peer(const char* purpose, int argc, char** argv, Run run) {
  options o;
  bench::flags flags(purpose);
  flags.add("structure", o.structure, "stack or queue");
  flags.add("mix", o.mix, 0, 1, "the part of the operations that push");
  flags.add("operations", o.operations, 1, 1'000'000'000, "of all threads together");
  flags.add("prefill", o.prefill, 0, 1'000'000'000, "elements before the clock starts");
  flags.add("threads", o.threads, 1, 1024, "bound to the cores in turn");
  return run_program(flags, argc, argv, [&] { return run(o); });
}

}  // namespace bench::ordered
