#include "bench/reservations.hpp"

#include "atoll/atoll.hpp"
#include "atoll/random.hpp"

#include <vector>

namespace atl::bench::reservations {
namespace {

/// The data of one PE.
struct work {
  std::vector<reservation> all;  ///< the reservations of all PEs
  std::vector<event> ends;       ///< the events with which the chains of this PE end
};
using everywhere = per_pe<work>;

std::uint64_t share_of(std::uint64_t all, int pe) {
  const auto number = static_cast<std::uint64_t>(pe);
  const auto count = static_cast<std::uint64_t>(pes());
  return all / count + (number < all % count ? 1 : 0);
}

task<> make_all(everywhere works, parameters chosen) {
  const auto shared =
      co_await make_array<reservation>(chosen.per_pe * static_cast<std::uint64_t>(pes()));
  const auto make_own = [shared, chosen]() -> task<> {
    std::vector<reservation> own;
    for (std::uint64_t i = 0; i < chosen.per_pe; ++i) own.push_back(make_reservation());
    co_await put(shared, chosen.per_pe * static_cast<std::uint64_t>(my_pe()), own);
  };
  co_await on_all_pes(make_own);
  const auto learn = [shared, works]() -> task<> {
    works->all.resize(shared.size());
    co_await get(shared, 0, works->all);
  };
  co_await on_all_pes(learn);
  co_await shared.destroy();
}

void build_chains(work& mine, parameters chosen, event go) {
  random_stream random(hash(job_settings().seed + static_cast<std::uint64_t>(my_pe())));
  mine.ends.clear();
  for (std::uint64_t chain = share_of(chosen.chains, my_pe()); chain > 0; --chain) {
    event last = go;
    for (std::uint64_t i = 0; i < chosen.length; ++i) {
      const reservation next = mine.all[random.below(mine.all.size())];
      last = next.release(next.acquire(last));
    }
    mine.ends.push_back(last);
  }
}

task<> run_chains(everywhere works, parameters chosen, outcome& found) {
  const auto begun = now();
  const user_event go = make_user_event();
  co_await on_all_pes([works, chosen, go] { build_chains(works.local(), chosen, go); });
  const auto built = now();
  const auto wait_for_own = [works]() -> task<> { co_await merge_events(works->ends); };
  const auto start = [go, wait_for_own] {
    for (int pe = 0; pe < pes(); ++pe) async_call(pe, wait_for_own);
    go.trigger();
  };
  co_await finish(start);
  found.creation_seconds = built - begun;
  found.seconds = seconds_since(built);
  found.grants = chosen.chains * chosen.length;
}

task<reservation_statistics> statistics() {
  reservation_statistics sum;
  for (int pe = 0; pe < pes(); ++pe)
    sum.add(co_await call(pe, [] { return local_reservation_statistics(); }));
  co_return sum;
}

/// Checks mutual exclusion. Tasks of all PEs increment one word per reservation, in several steps.
/// If two tasks incremented a word at the same time, an increment would be lost. Returns the number
/// of lost increments.
task<std::uint64_t> count_under_reservations(everywhere works, parameters chosen) {
  constexpr std::uint64_t k_tasks = 64;
  constexpr std::uint64_t k_counts = 8;
  const auto words =
      co_await make_array<std::uint64_t>(chosen.per_pe * static_cast<std::uint64_t>(pes()));
  const auto count = [works, words](std::uint64_t stream) -> task<> {
    random_stream random(stream);
    for (std::uint64_t i = 0; i < k_counts; ++i) {
      const std::uint64_t chosen_word = random.below(words.size());
      const reservation held = works->all[chosen_word];
      co_await held.acquire();
      const std::uint64_t seen = co_await read(words[chosen_word]);
      co_await yield();
      co_await write(words[chosen_word], seen + 1);
      held.release();
    }
  };
  co_await on_all_pes([count] {
    for (std::uint64_t i = 0; i < k_tasks; ++i)
      spawn([count, stream = hash(i * 1024 + static_cast<std::uint64_t>(my_pe()))] {
        return count(stream);
      });
  });
  std::vector<std::uint64_t> counted(words.size());
  co_await get(words, 0, counted);
  std::uint64_t missing = k_tasks * k_counts * static_cast<std::uint64_t>(pes());
  for (const std::uint64_t each : counted) missing -= each;
  co_await words.destroy();
  co_return missing;
}

}  // namespace

task<outcome> measure(parameters chosen) {
  const auto works = co_await everywhere::make();
  co_await make_all(works, chosen);
  outcome found;
  co_await run_chains(works, chosen, found);
  co_await run_chains(works, chosen, found);
  found.counted = co_await statistics();
  found.wrong_grants = found.counted.grants > 2 * found.grants
                           ? found.counted.grants - 2 * found.grants
                           : 2 * found.grants - found.counted.grants;
  found.lost_counts = co_await count_under_reservations(works, chosen);
  found.counted = co_await statistics();
  co_await works.destroy();
  co_return found;
}

}  // namespace atl::bench::reservations
