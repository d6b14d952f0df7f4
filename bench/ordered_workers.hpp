#pragma once
// The tasks that use a stack or queue, the records of what they popped, and the check of these
// records.

#include "atoll/atoll.hpp"
#include "atoll/local_memory.hpp"
#include "bench/support/held_memory.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace atl::bench::ordered {

struct popped_value {
  std::uint64_t value;
  std::uint64_t by;  ///< number of the worker that popped the value
};

/// A worker, which is a task that pushes and pops. Each value that the worker pushes consists of
/// the worker's number and a sequence number.
struct worker {
  std::uint64_t number = 0;  ///< number of the worker, unique within the job
  std::uint64_t pushed = 0;
  std::uint64_t empty_pops = 0;
  std::vector<popped_value>* log = nullptr;  ///< values that the workers of this PE have popped

  std::uint64_t next_value() { return number << 32 | pushed++; }
  void note_popped(std::uint64_t value) const { log->push_back({value, number}); }
};

inline std::uint64_t pusher_of(std::uint64_t value) { return value >> 32; }
inline std::uint64_t place_of(std::uint64_t value) { return value & 0xffffffff; }

/// The workers of one PE.
struct team {
  std::optional<held_memory> held;
  std::vector<worker> workers;
  std::vector<popped_value> popped;  ///< values that all workers of the PE have popped, in order
  std::uint64_t popped_at_end = 0;   ///< index in `popped` of the first value that `drain` popped
  /// Number of pops of each value that was pushed on this PE. A number above 2 is stored as 2.
  std::vector<std::vector<std::uint8_t>> times_popped;
  /// Number of popped values that no worker has pushed, as far as this PE has found such values.
  std::uint64_t made_up = 0;
};

/// The total number of operations of the workers on all PEs.
struct tally {
  std::uint64_t pushed = 0;
  std::uint64_t popped = 0;
  std::uint64_t empty_pops = 0;
  std::uint64_t lost = 0;
  std::uint64_t made_up = 0;
  std::uint64_t out_of_order = 0;
};

/// Makes as many workers on each PE as the setting `workers` says. Reserves memory for the values
/// that the workers will pop.
task<per_pe<team>> make_teams(std::uint64_t operations_each, double mix);

task<tally> count(per_pe<team> teams);

/// The order in which a worker pops the values of one pusher.
enum class order : std::uint8_t {
  as_pushed,  ///< values are popped in the order of their pushes; a queue always has this order
  reversed    ///< values are popped in the reversed order; a stack has this order during `drain`
};

/// Counts the operations, and compares the pushed values with the popped values. Every value must
/// have been popped.
task<tally> check(per_pe<team> teams, order wanted);

/// Runs the coroutine `work(worker)` for every worker of the job.
template <class Work>
task<> on_all_workers(per_pe<team> teams, Work work) {
  const auto of_pe = [teams, work] {
    for (auto& one : teams->workers) spawn([&one, work] { return work(one); });
  };
  co_await on_all_pes(of_pe);
}

/// Pops until the structure is empty. The main task calls this function after the last push.
template <class Structure>
task<> drain(Structure structure, per_pe<team> teams) {
  co_await on_all_pes([teams] { teams->popped_at_end = teams->popped.size(); });
  const auto pop = [structure](worker& me) -> task<> {
    for (auto taken = co_await structure.pop(); taken; taken = co_await structure.pop())
      me.note_popped(*taken);
  };
  co_await on_all_workers(teams, pop);
}

}  // namespace atl::bench::ordered
