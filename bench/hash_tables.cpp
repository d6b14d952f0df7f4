#include "bench/hash_tables.hpp"

#include "atoll/histogram.hpp"
#include "atoll/local_memory.hpp"
#include "bench/hash_replay.hpp"
#include "bench/hash_shared.hpp"
#include "bench/support/held_memory.hpp"

#include <algorithm>
#include <memory>

namespace atl::bench::hash {
namespace {

constexpr const char* k_replay = "the serial replay (--key-range)";

/// Numbers that the workers of one PE have counted.
struct tally {
  std::uint64_t inserted = 0;  ///< number of inserts that reported a new key
  std::uint64_t found = 0;
  std::uint64_t wrong_values = 0;
  std::uint64_t keys = 0;  ///< number of keys in the table at the end
  std::uint64_t wrong_keys = 0;
};

/// The records of the workers of one PE.
struct log {
  tally counted;
  log_histogram nanoseconds;
};

template <class Shared>
task<> operate(Shared shared, load all, std::uint64_t worker, log& mine) {
  const steps of_worker(all, worker);
  const std::uint64_t share = all.share_of(worker);
  for (std::uint64_t i = 0; i < share; ++i) {
    const step one = of_worker[i];
    if (one.inserts) {
      mine.counted.inserted += co_await shared.insert(one.key) ? 1 : 0;
    } else {
      const look at = look_of(co_await shared.look_up(one.key), one.key);
      mine.counted.found += at.found ? 1 : 0;
      mine.counted.wrong_values += at.is_right ? 0 : 1;
    }
  }
}

template <class Shared>
task<> insert_timed(Shared shared, load all, std::uint64_t worker, log& mine) {
  const steps of_worker(all, worker);
  const std::uint64_t share = all.share_of(worker);
  for (std::uint64_t i = 0; i < share; ++i) {
    const auto begin = now();
    mine.counted.inserted += co_await shared.insert(of_worker[i].key) ? 1 : 0;
    mine.nanoseconds.add(static_cast<std::uint64_t>(now() - begin));
  }
}

template <class Shared>
task<> insert_without_waiting(Shared shared, load all, std::uint64_t worker, log&) {
  const steps of_worker(all, worker);
  const std::uint64_t share = all.share_of(worker);
  for (std::uint64_t i = 0; i < share; ++i) {
    shared.async_insert(of_worker[i].key);
    if (!has_room()) co_await room();
  }
}

/// Starts the coroutine `work(worker, log of the PE)` for each worker, and waits for all workers.
template <class Work>
task<> on_all_workers(per_pe<log> logs, Work work) {
  co_await on_all_pes([logs, work] {
    const std::uint64_t workers = job_settings().workers;
    const std::uint64_t first = workers * static_cast<unsigned>(my_pe());
    for (std::uint64_t i = 0; i < workers; ++i)
      spawn([logs, work, worker = first + i] { return work(worker, logs.local()); });
  });
}

template <class Shared>
task<> run_load(Shared shared, per_pe<log> logs, parameters chosen, load all) {
  const auto with = [&](auto form_of) { return on_all_workers(logs, form_of); };
  if (chosen.way == form::async)
    co_await with([shared, all](std::uint64_t worker, log& mine) {
      return insert_without_waiting(shared, all, worker, mine);
    });
  else if (chosen.times_each)
    co_await with([shared, all](std::uint64_t worker, log& mine) {
      return insert_timed(shared, all, worker, mine);
    });
  else
    co_await with([shared, all](std::uint64_t worker, log& mine) {
      return operate(shared, all, worker, mine);
    });
}

/// Compares this PE's part of the table with the keys that were inserted.
template <class Shared>
task<> check_here(Shared shared, global_array<std::uint64_t> inserted, per_pe<log> logs) {
  const held_memory held(inserted.size() * sizeof(std::uint64_t), k_replay);
  std::vector<std::uint64_t> bits(inserted.size());
  co_await get(inserted, 0, bits);
  tally& mine = logs->counted;
  shared.each_local([&](std::uint64_t key, std::uint64_t value) {
    ++mine.keys;
    mine.wrong_keys += key / 64 < bits.size() && has_bit(bits, key) ? 0 : 1;
    mine.wrong_values += value == value_of(key) ? 0 : 1;
  });
}

task<log> collect(per_pe<log> logs) {
  log all;
  for (int pe = 0; pe < pes(); ++pe) {
    const tally one = co_await call(pe, [logs] { return logs->counted; });
    all.counted.inserted += one.inserted;
    all.counted.found += one.found;
    all.counted.wrong_values += one.wrong_values;
    all.counted.keys += one.keys;
    all.counted.wrong_keys += one.wrong_keys;
    log_histogram::portion part{};
    do {
      part = co_await call(
          pe, [logs, next = part.next] { return logs->nanoseconds.portion_from(next); });
      all.nanoseconds.merge(part);
    } while (!part.is_last);
  }
  co_return all;
}

/// Returns the distance of `number` from the range of `least` to `most`, which is 0 for a number in
/// the range.
std::uint64_t outside(std::uint64_t number, std::uint64_t least, std::uint64_t most) {
  return number < least ? least - number : number > most ? number - most : 0;
}

template <class Shared>
task<> check(Shared shared, per_pe<log> logs, parameters chosen, load all, outcome& found) {
  const held_memory held(bytes_of_replay(all), k_replay, held_memory::by::this_pe);
  const replay right = replay_of(all);
  const auto inserted = co_await make_array<std::uint64_t>(right.inserted.size());
  co_await put(inserted, 0, right.inserted);
  co_await on_all_pes([=] { return check_here(shared, inserted, logs); });
  const log seen = co_await collect(logs);
  const tally& sum = seen.counted;
  found.keys = sum.keys;
  found.wrong_keys = sum.wrong_keys + outside(sum.keys, right.keys, right.keys);
  found.wrong_values = sum.wrong_values;
  found.wrong_answers = outside(sum.found, right.least_found, right.most_found);
  if (chosen.way != form::async)
    found.wrong_answers += outside(sum.inserted, right.keys, right.keys);
  found.p99_9_nanoseconds = static_cast<double>(seen.nanoseconds.quantile(0.999));
  co_await inserted.destroy();
}

template <class Shared>
task<outcome> measure_one(parameters chosen) {
  const load all = {chosen.operations, chosen.key_range, chosen.mix,
                    job_settings().workers * static_cast<std::uint64_t>(pes()),
                    job_settings().seed};
  const auto shared = co_await Shared::make(chosen.mode);
  const auto logs = co_await per_pe<log>::make();
  if (chosen.reserves) co_await shared.reserve(std::min(chosen.operations, chosen.key_range));
  outcome found;
  const auto begin = now();
  co_await run_load(shared, logs, chosen, all);
  found.seconds = seconds_since(begin);
  found.operations = chosen.operations;
  found.bytes = co_await shared.bytes();
  found.combined = co_await shared.statistics();
  co_await check(shared, logs, chosen, all, found);
  co_await logs.destroy();
  co_await shared.destroy();
  co_return found;
}

}  // namespace

task<outcome> measure(parameters chosen) {
  const bool is_set = chosen.structure == kind::set;
  if (chosen.way == form::delegates) {
    if (is_set) co_return co_await measure_one<delegates<local_set>>(chosen);
    co_return co_await measure_one<delegates<local_map>>(chosen);
  }
  if (is_set) co_return co_await measure_one<shared_set>(chosen);
  co_return co_await measure_one<shared_map>(chosen);
}

}  // namespace atl::bench::hash
