#include "bench/ordered_workers.hpp"

#include "atoll/atoll.hpp"
#include "bench/support/held_memory.hpp"

#include <algorithm>

namespace atl::bench::ordered {
namespace {

constexpr const char* k_popped = "what tasks have popped (--operations)";

/// Counts the pairs of consecutively popped values of one pusher that were popped in the wrong
/// order.
std::uint64_t pops_out_of_order(std::vector<std::uint64_t> popped) {
  std::ranges::stable_sort(popped, {}, pusher_of);
  std::uint64_t found = 0;
  for (std::size_t i = 1; i < popped.size(); ++i) {
    const bool same = pusher_of(popped[i]) == pusher_of(popped[i - 1]);
    if (same && popped[i] <= popped[i - 1]) ++found;
  }
  return found;
}

/// Records on the PE of the pusher that `value` was popped.
void mark(team& of_pusher, std::uint64_t value) {
  const std::uint64_t within = pusher_of(value) % of_pusher.workers.size();
  auto& times = of_pusher.times_popped[within];
  if (place_of(value) < times.size()) {
    times[place_of(value)] = static_cast<std::uint8_t>(std::min(2, times[place_of(value)] + 1));
  } else {
    ++of_pusher.made_up;
  }
}

task<> mark_all(per_pe<team> teams) {
  const auto workers = teams->workers.size();
  for (const auto& [value, by] : teams->popped) {
    const auto pe = static_cast<int>(pusher_of(value) / workers);
    if (pe < pes()) {
      async_call(pe, [teams, value = value] { mark(teams.local(), value); });
    } else {
      ++teams->made_up;
    }
    if (!has_room()) co_await room();
  }
}

/// Returns the values that each worker of the team popped, in order, beginning with pop number
/// `first` of the team.
task<std::vector<std::vector<std::uint64_t>>> by_worker(const team& mine, std::size_t first) {
  constexpr std::size_t k_in_a_row = 1 << 18;
  std::vector<std::vector<std::uint64_t>> popped(mine.workers.size());
  for (std::size_t i = first; i < mine.popped.size(); ++i) {
    const auto& [value, by] = mine.popped[i];
    popped[by % popped.size()].push_back(value);
    if (i % k_in_a_row == 0) co_await yield();
  }
  co_return popped;
}

tally count_here(const team& mine) {
  tally all;
  all.popped = mine.popped.size();
  for (const auto& one : mine.workers) {
    all.pushed += one.pushed;
    all.empty_pops += one.empty_pops;
  }
  return all;
}

task<tally> check_here(const team& mine, order wanted) {
  tally all = count_here(mine);
  all.made_up = mine.made_up;
  for (const auto& times : mine.times_popped) {
    all.lost += static_cast<std::uint64_t>(std::ranges::count(times, 0));
    all.made_up += static_cast<std::uint64_t>(std::ranges::count(times, 2));
  }
  // A vector doubles its capacity when it grows, so it may take up to twice the memory of its
  // elements.
  const held_memory held(2 * mine.popped.size() * sizeof(std::uint64_t), k_popped);
  const bool is_reversed = wanted == order::reversed;
  auto all_popped = co_await by_worker(mine, is_reversed ? mine.popped_at_end : 0);
  for (auto& popped : all_popped) {
    if (is_reversed) std::ranges::reverse(popped);
    all.out_of_order += pops_out_of_order(std::move(popped));
    co_await yield();
  }
  co_return all;
}

/// Returns the sum of `of_pe(team)` over all PEs.
template <class Find>
task<tally> sum(per_pe<team> teams, Find of_pe) {
  tally all;
  for (int pe = 0; pe < pes(); ++pe) {
    const tally one = co_await call(pe, [teams, of_pe] { return of_pe(teams.local()); });
    all.pushed += one.pushed;
    all.popped += one.popped;
    all.empty_pops += one.empty_pops;
    all.lost += one.lost;
    all.made_up += one.made_up;
    all.out_of_order += one.out_of_order;
  }
  co_return all;
}

}  // namespace

task<per_pe<team>> make_teams(std::uint64_t operations_each, double mix) {
  const auto teams = co_await per_pe<team>::make();
  const std::uint64_t workers = job_settings().workers;
  const auto operations = static_cast<double>(operations_each * workers);
  const auto room = static_cast<std::uint64_t>(1.1 * operations * (1 - mix)) + 1024;
  const auto fill = [teams, workers, room, most = static_cast<std::uint64_t>(1.5 * operations)] {
    teams->held.emplace((most + room) * sizeof(popped_value), k_popped);
    teams->popped.reserve(most + room);  // keeps `drain` from allocating memory
    teams->popped.resize(room);          // touches the pages before the measurement
    teams->popped.clear();
    teams->workers.resize(workers);
    for (std::uint64_t i = 0; i < workers; ++i) {
      teams->workers[i].number = workers * static_cast<unsigned>(my_pe()) + i;
      teams->workers[i].log = &teams->popped;
    }
  };
  co_await on_all_pes(fill);
  co_return teams;
}

task<tally> count(per_pe<team> teams) {
  const auto all = co_await sum(teams, [](const team& mine) { return count_here(mine); });
  co_return all;
}

task<tally> check(per_pe<team> teams, order wanted) {
  const auto prepare = [teams] {
    for (const auto& one : teams->workers) teams->times_popped.emplace_back(one.pushed);
  };
  co_await on_all_pes(prepare);
  co_await on_all_pes([teams] { return mark_all(teams); });
  const auto find = [wanted](const team& mine) { return check_here(mine, wanted); };
  co_return co_await sum(teams, find);
}

}  // namespace atl::bench::ordered
