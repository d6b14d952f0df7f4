#include "app/sort_compared.hpp"

#include "atoll/kernels/gups/gups.hpp"

#include <algorithm>

namespace atl::app {

task<double> rate_of_updates(std::uint64_t keys) {
  constexpr unsigned smallest = 10;
  const unsigned all = floor_log2(std::max<std::uint64_t>(keys, 1));
  const unsigned for_pes = ceil_log2(static_cast<std::uint64_t>(pes())) + 2;  // 4 updates a word
  const kernels::gups::parameters chosen{.log2_table =
                                             all > smallest + for_pes ? all - for_pes : smallest};
  const auto outcome = co_await kernels::gups::measure(chosen);
  co_return outcome.rate();
}

void add_delegates(measurements& measured, const kernels::sort::run_outcome& own,
                   const kernels::sort::run_outcome& by_delegates) {
  measured.push_back({"rate_by_delegates", "keys/s", by_delegates.rate()});
  if (by_delegates.rate() > 0)
    measured.emplace_back("times_delegates", "", own.rate() / by_delegates.rate());
}

void add_updates(measurements& measured, const kernels::sort::run_outcome& own, double updates) {
  measured.emplace_back("rate_of_gups", "updates/s", updates);
  if (updates > 0) measured.emplace_back("fraction_of_gups", "", own.rate() / updates);
}

}  // namespace atl::app
