#pragma once
// Records histories of stacks and queues while tasks use them.

#include "linearizability/history.hpp"
#include "support/run_on.hpp"
#include "support/shared_words.hpp"

namespace atl::test {

/// How a structure is used: the numbers of PEs and tasks, and the mode in which requests are
/// combined.
struct scenario {
  discipline order = discipline::stack;
  int pes = 2;
  int clients = 4;  ///< number of tasks, which are spread over the PEs
  int operations = 6;
  combining_mode mode = combining_mode::local;
  std::uint64_t batch = 1024;
  std::uint64_t seed = 1;
  /// number of PEs per node; the PEs of a node combine their requests
  std::uint64_t node_size = 16;
};

/// Runs the operations of one client. Before and after each operation, the client increases a
/// shared counter, which all PEs access directly in memory.
template <class Structure>
task<> use(Structure structure, scenario chosen, int client, global_address<std::uint64_t> counter,
           global_array<operation> records) {
  random_stream random(chosen.seed, static_cast<unsigned>(client));
  for (int i = 0; i < chosen.operations; ++i) {
    const auto number = static_cast<std::uint64_t>(client * chosen.operations + i);
    operation done;
    done.is_push = random.below(2) == 0;
    done.value = number;
    done.pe = my_pe();
    done.begin = shared_word(counter).fetch_add(1);
    if (done.is_push) {
      co_await structure.push(number);
    } else {
      const auto taken = co_await structure.pop();
      done.is_empty = !taken.has_value();
      done.value = taken.value_or(0);
    }
    done.end = shared_word(counter).fetch_add(1);
    directly(records[number]) = done;
  }
}

template <class Structure>
task<history> record_on(scenario chosen) {
  const auto structure = co_await Structure::make(combining_options(chosen.mode, chosen.batch));
  const array_options shared(placement::symmetric);
  const auto total = static_cast<std::uint64_t>(chosen.clients * chosen.operations);
  const auto counter = co_await make_array<std::uint64_t>(1, shared);
  const auto records = co_await make_array<operation>(total, shared);
  const auto of_pe = [=] {
    for (int client = my_pe(); client < chosen.clients; client += pes())
      spawn([=] { return use(structure, chosen, client, counter[0], records); });
  };
  co_await on_all_pes(of_pe);
  history recorded;
  for (std::uint64_t i = 0; i < total; ++i) recorded.push_back(directly(records[i]));
  co_await records.destroy();
  co_await counter.destroy();
  co_await structure.destroy();
  co_return recorded;
}

/// Runs a job with the settings `options` and the scenario `chosen`, and returns the job's history.
inline history record(const settings& options, scenario chosen) {
  history recorded;
  const auto main = [&]() -> task<> {
    if (chosen.order == discipline::stack) {
      recorded = co_await record_on<global_stack<std::uint64_t>>(chosen);
    } else {
      recorded = co_await record_on<global_queue<std::uint64_t>>(chosen);
    }
  };
  EXPECT_EQ(run_job(options, main), 0);
  return recorded;
}

/// Returns a combination of parameters. Successive seeds give all combinations in turn.
inline scenario scenario_of(std::uint64_t seed) {
  constexpr int k_pes[] = {2, 3, 4, 8};
  constexpr std::uint64_t k_batches[] = {1024, 2, 1};
  scenario chosen;
  chosen.seed = seed;
  chosen.order = seed % 2 == 0 ? discipline::stack : discipline::queue;
  chosen.pes = k_pes[seed / 2 % 4];
  chosen.mode = static_cast<combining_mode>(seed / 8 % 4);
  chosen.batch = k_batches[seed / 32 % 3];
  chosen.node_size = seed / 96 % 2 == 0 ? 2 : 16;
  return chosen;
}

inline settings simulated_job_of(const scenario& chosen) {
  settings options = simulated_job_of(chosen.pes, chosen.seed);
  options.sim_node_size = chosen.node_size;
  return options;
}

}  // namespace atl::test
