#pragma once
// Threads that insert and look up random keys in one shared set or map. The fraction `mix` of
// operations are inserts.

#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::hash {

struct options {
  std::string structure = "hash-set";
  double mix = 1;
  std::uint64_t operations = 4'000'000;
  std::uint64_t key_range = 1 << 10;
  std::uint64_t threads = 2;
};

/// The last step of the generator splitmix64.
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline std::uint64_t value_of(std::uint64_t key) { return mixed(key + 1); }

struct step {
  bool inserts;
  std::uint64_t key;
};

/// Returns operation `i` of `thread`. The operations follow from a random sequence of splitmix64.
/// Any element of the sequence can be computed directly.
inline step step_at(const options& o, std::uint64_t thread, std::uint64_t i) {
  const std::uint64_t random = mixed(mixed(thread + 1) + (i + 1) * 0x9e3779b97f4a7c15u);
  const auto inserts = static_cast<std::uint64_t>(o.mix * 0x1p32);
  return {random >> 32 < inserts, (random & 0xffffffff) * o.key_range >> 32};
}

/// Returns the number of different keys that the threads insert.
inline std::uint64_t keys_inserted(const options& o) {
  std::vector<bool> is_inserted(o.key_range);
  std::uint64_t keys = 0;
  for (std::uint64_t thread = 0; thread < o.threads; ++thread) {
    for (std::uint64_t i = 0; i < o.operations / o.threads; ++i) {
      const step one = step_at(o, thread, i);
      if (!one.inserts || is_inserted[one.key]) continue;
      is_inserted[one.key] = true;
      ++keys;
    }
  }
  return keys;
}

/// Measures `shared` and prints the line of results. `shared` must have contains(key), size() and
/// insert(key); insert returns whether the key was new. Returns false if the table has lost keys or
/// has keys that were never inserted.
template <class Table>
bool measure(Table& shared, const options& o) {
  std::atomic<std::uint64_t> inserted = 0;
  std::atomic<std::uint64_t> found = 0;
  const stopwatch watch;
  run_pinned(o.threads, [&](std::size_t me) {
    std::uint64_t my_inserted = 0;
    std::uint64_t my_found = 0;
    for (std::uint64_t i = 0; i < o.operations / o.threads; ++i) {
      const step one = step_at(o, me, i);
      if (one.inserts)
        my_inserted += shared.insert(one.key) ? 1 : 0;
      else
        my_found += shared.contains(one.key) ? 1 : 0;
    }
    inserted += my_inserted;
    found += my_found;
  });
  const double seconds = watch.seconds();
  const std::uint64_t done = o.operations - o.operations % o.threads;
  json_line(static_cast<double>(done) / seconds, "operations/s")
      .add("seconds", seconds)
      .add("threads", static_cast<double>(o.threads))
      .print();
  const std::uint64_t keys = keys_inserted(o);
  return inserted == keys && shared.size() == keys && found <= o.operations;
}

/// Implements `main` of a program that measures one table. `run(options)` performs the measurement.
template <class Run>
int run_peer(const char* purpose, int argc, char** argv, Run run) {
  options o;
  bench::flags flags(purpose);
  flags.add("structure", o.structure, "hash-set or hash-map");
  flags.add("mix", o.mix, 0, 1, "the part of the operations that insert");
  flags.add("operations", o.operations, 1, 1'000'000'000, "of all threads together");
  flags.add("key-range", o.key_range, 1, std::uint64_t{1} << 28, "keys are below it");
  flags.add("threads", o.threads, 1, 1024, "bound to the cores in turn");
  return run_program(flags, argc, argv, [&] {
    if (o.structure != "hash-set" && o.structure != "hash-map")
      throw bad_input("--structure is hash-set or hash-map");
    return run(o);
  });
}

}  // namespace bench::hash
