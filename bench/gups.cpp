#include "bench/gups.hpp"

namespace atl::bench::gups {

task<outcome> measure(parameters chosen) {
  const auto all = static_cast<std::uint64_t>(pes());
  const std::uint64_t size = all << chosen.log2_table;
  const table words = co_await make_array<std::uint64_t>(size);
  table spare;
  if (chosen.verify) spare = co_await make_array<std::uint64_t>(size);
  outcome result;
  const auto on_each = [=, to_pe_0 = &result]() -> task<> {
    co_await initialise(words);
    outcome mine = co_await all_counted_pass(words, size * chosen.updates_per_word);
    if (chosen.verify) co_await all_verify(words, spare, mine);
    const outcome of_all = co_await all_reduce(mine, &combined);
    if (my_pe() == 0) *to_pe_0 = of_all;
  };
  co_await on_all_pes(on_each);
  result.bytes_peak = peak_memory() * all;
  if (chosen.verify) co_await spare.destroy();
  co_await words.destroy();
  co_return result;
}

}  // namespace atl::bench::gups
