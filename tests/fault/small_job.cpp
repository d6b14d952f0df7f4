// A job that uses several features: a global array, remote updates, tasks on every PE, a
// collective, and output. The job prints "right" if the result is right.

#include "atoll/atoll.hpp"

#include <cstdio>

/// The library of failing_calls.cpp defines this function if that library is loaded.
extern "C" void count_failing_calls() __attribute__((weak));

namespace {

using namespace atl;

constexpr std::uint64_t k_words = 1 << 10;

task<> add_everywhere(global_array<std::uint64_t> table) {
  co_await parallel_for(table.size(), [table](std::uint64_t i) {
    async_update(table[i * 7 % k_words], [](std::uint64_t& word) { ++word; });
  });
}

task<> small_job() {
  const auto table = co_await make_array<std::uint64_t>(k_words);
  co_await add_everywhere(table);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < k_words; i += 100) sum += co_await read(table[i]);
  co_await on_all_pes([] { std::printf("PE %d is here\n", my_pe()); });
  std::puts(sum == (k_words + 99) / 100 ? "right" : "wrong");
}

}  // namespace

int main(int argc, char** argv) {
  if (count_failing_calls != nullptr) count_failing_calls();
  return atl::run(argc, argv, small_job);
}
