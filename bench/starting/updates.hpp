#pragma once
// A serial program that performs random updates of one table.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {

/// Prints the sum of a table of 2^20 words after `updates` random updates.
inline void update_and_print(std::uint64_t updates) {
  constexpr std::uint64_t words = 1 << 20;
  std::vector<std::uint64_t> table(words);
  std::uint64_t random = 1;
  for (std::uint64_t i = 0; i < updates; ++i) {
    random = random * 6364136223846793005 + 1442695040888963407;
    table[random >> 44] += random >> 32;
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t word : table) sum += word;
  std::printf("sum %llu\n", static_cast<unsigned long long>(sum));
}

/// Returns the first argument of the program as a number of updates.
inline std::uint64_t updates_of(int argc, char** argv) {
  return argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
}

}  // namespace bench
