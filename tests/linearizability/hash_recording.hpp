#pragma once
// Records histories of sets and maps while tasks use them.

#include "linearizability/hash_uses.hpp"
#include "linearizability/recording.hpp"

namespace atl::test {

/// How a structure is used: the numbers of PEs and tasks, and the mode.
struct hash_scenario {
  int pes = 2;
  int clients = 6;  ///< number of tasks, which are spread over the PEs
  int operations = 8;
  std::uint64_t keys = 3;
  /// number of additional keys per client; the inserted keys make the structure grow
  std::uint64_t others = 0;
  combining_mode mode = combining_mode::local;
  std::uint64_t batch = 1024;
  std::uint64_t seed = 1;
};

template <class Uses>
task<> use_hash(typename Uses::structure structure, hash_scenario chosen, int client,
                global_address<std::uint64_t> counter, global_array<keyed_operation> records) {
  random_stream random(chosen.seed, static_cast<unsigned>(client));
  for (int i = 0; i < chosen.operations; ++i) {
    const auto number = static_cast<std::uint64_t>(client * chosen.operations + i);
    keyed_operation done;
    done.key = random.below(chosen.keys);
    done.kind = static_cast<keyed>(random.below(5));
    done.value = std::uint64_t{1} << 32 | number;
    done.pe = my_pe();
    done.begin = shared_word(counter).fetch_add(1);
    co_await Uses::perform(structure, done);
    done.end = shared_word(counter).fetch_add(1);
    directly(records[number]) = done;
    for (std::uint64_t other = 0; other < chosen.others; ++other)
      Uses::add_other(structure, chosen.keys + number * chosen.others + other);
  }
}

template <class Uses>
task<std::vector<keyed_operation>> record_hash(hash_scenario chosen) {
  const combining_options how(chosen.mode, chosen.batch);
  const auto structure = co_await Uses::structure::make(how);
  const array_options shared(placement::symmetric);
  const auto total = static_cast<std::uint64_t>(chosen.clients * chosen.operations);
  const auto counter = co_await make_array<std::uint64_t>(1, shared);
  const auto records = co_await make_array<keyed_operation>(total, shared);
  const auto of_pe = [=] {
    for (int client = my_pe(); client < chosen.clients; client += pes())
      spawn([=] { return use_hash<Uses>(structure, chosen, client, counter[0], records); });
  };
  co_await on_all_pes(of_pe);
  std::vector<keyed_operation> recorded;
  for (std::uint64_t i = 0; i < total; ++i) recorded.push_back(directly(records[i]));
  co_await records.destroy();
  co_await counter.destroy();
  co_await structure.destroy();
  co_return recorded;
}

/// Returns a combination of parameters. Successive seeds give all combinations in turn.
inline hash_scenario hash_scenario_of(std::uint64_t seed) {
  constexpr int k_pes[] = {2, 3, 4, 8};
  constexpr std::uint64_t k_batches[] = {1024, 3, 1};
  hash_scenario chosen;
  chosen.seed = seed;
  chosen.mode = seed % 4 == 0 ? combining_mode::none : combining_mode::local;
  chosen.pes = k_pes[seed / 4 % 4];
  chosen.batch = k_batches[seed / 16 % 3];
  chosen.keys = 1 + seed / 48 % 3;
  return chosen;
}

/// Runs a job with the settings `options` and the scenario `chosen`, and returns the history of
/// each key.
template <class Uses>
std::vector<std::vector<keyed_operation>> histories_of(const settings& options,
                                                       hash_scenario chosen) {
  std::vector<keyed_operation> recorded;
  const auto main = [&]() -> task<> { recorded = co_await record_hash<Uses>(chosen); };
  EXPECT_EQ(run_job(options, main), 0);
  return by_key(recorded);
}

}  // namespace atl::test
