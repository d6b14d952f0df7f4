// Histories of global hash sets and maps must be linearizable in all modes, in simulated jobs and
// in parallel jobs. The histories must be linearizable even while the structures grow, and for keys
// and values that own memory.

#include "linearizability/hash_recording.hpp"

using namespace atl;

namespace {

using test::hash_scenario;
using test::keyed;
using test::keyed_operation;

constexpr std::uint64_t k_hash_seeds = test::sanitized ? 60 : 1000;
// number of further keys that each client inserts with each operation
constexpr std::uint64_t k_others = 30;

/// Checks the histories of a job. Returns the number of keys whose history was decided.
template <class Uses>
std::uint64_t expect_linearizable(const settings& options, const hash_scenario& chosen) {
  const auto split = test::histories_of<Uses>(options, chosen);
  for (const auto& of_key : split) {
    EXPECT_TRUE(test::linearizable_for_its_key(of_key))
        << fmt::format("{} PEs, mode {}, batch {}, {} keys, seed {}", chosen.pes,
                       static_cast<int>(chosen.mode), chosen.batch, chosen.keys, chosen.seed);
    test::note_key(true, of_key);
  }
  return split.size();
}

/// Checks jobs under simulated schedules.
template <class Uses>
void expect_all_linearizable(std::uint64_t seeds, std::uint64_t others) {
  std::uint64_t decided = 0;
  for (const std::uint64_t seed : test::seeds(seeds)) {
    hash_scenario chosen = test::hash_scenario_of(seed);
    chosen.others = others;
    decided += expect_linearizable<Uses>(test::simulated_job_of(chosen.pes, chosen.seed), chosen);
  }
  EXPECT_GE(decided, test::seeds(seeds).size());
}

TEST(hash_map, narrow_histories_of_its_keys_are_linearizable) {
  expect_all_linearizable<test::number_map_uses>(k_hash_seeds, 0);
}

TEST(hash_map, is_linearizable_while_it_grows) {
  expect_all_linearizable<test::number_map_uses>(k_hash_seeds, k_others);
}

TEST(hash_map, of_strings_is_linearizable_while_it_grows) {
  expect_all_linearizable<test::string_map_uses>(k_hash_seeds / 4, k_others);
}

TEST(hash_set, narrow_histories_of_its_keys_are_linearizable) {
  expect_all_linearizable<test::set_uses>(k_hash_seeds, 0);
}

TEST(hash_set, is_linearizable_while_it_grows) {
  expect_all_linearizable<test::set_uses>(k_hash_seeds, k_others);
}

template <class Uses>
void expect_linearizable_in_parallel(pe_kind kind) {
  for (std::uint64_t seed = 0; seed < 48; ++seed) {
    hash_scenario chosen = test::hash_scenario_of(seed);
    chosen.others = seed % 2 == 0 ? 0 : 20;
    expect_linearizable<Uses>(test::job_of(chosen.pes, kind), chosen);
  }
}

TEST(hash_map, threads_are_linearizable) {
  expect_linearizable_in_parallel<test::number_map_uses>(pe_kind::thread);
  expect_linearizable_in_parallel<test::string_map_uses>(pe_kind::thread);
}

TEST(hash_map, processes_are_linearizable) {
  if (test::only_threads) GTEST_SKIP();
  expect_linearizable_in_parallel<test::number_map_uses>(pe_kind::process);
  expect_linearizable_in_parallel<test::string_map_uses>(pe_kind::process);
}

keyed_operation made(std::uint64_t begin, std::uint64_t end, keyed kind, bool yes,
                     std::uint64_t value = 0) {
  keyed_operation one;
  one.begin = begin;
  one.end = end;
  one.kind = kind;
  one.yes = yes;
  one.value = value;
  return one;
}

TEST(keyed_checker, refuses_what_no_order_explains) {
  const auto insert = made(1, 2, keyed::insert, true, 7);
  const auto decided = [&](const keyed_operation& second, const keyed_operation& third) {
    const std::vector<keyed_operation> all = {insert, second, third};
    const bool right = test::linearizable_for_its_key(all);
    test::note_key(right, all);
    return right;
  };
  const auto look = [](std::uint64_t begin, bool yes, std::uint64_t value) {
    return made(begin, begin + 1, keyed::lookup, yes, value);
  };
  EXPECT_TRUE(decided(look(3, true, 7), made(5, 6, keyed::erase, true)));
  // A lookup misses the value that a later lookup finds.
  EXPECT_FALSE(decided(look(3, false, 0), look(5, true, 7)));
  // The key is inserted twice.
  EXPECT_FALSE(decided(made(3, 4, keyed::insert, true, 8), look(5, true, 8)));
  // The update is lost.
  EXPECT_FALSE(decided(made(3, 4, keyed::update, true, 1), look(5, true, 7)));
  // The key is erased, but still present.
  EXPECT_FALSE(decided(made(3, 4, keyed::erase, true), look(5, true, 7)));
  // The operations overlap.
  EXPECT_TRUE(decided(made(3, 6, keyed::erase, true), look(4, true, 7)));
}

}  // namespace
