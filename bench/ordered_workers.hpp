#pragma once
// The tasks that use a stack or queue, what they keep of it, and the check of that.

#include "atoll/atoll.hpp"
#include "atoll/local_memory.hpp"
#include "bench/support/held_memory.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace atl::bench::ordered {

struct popped_value {
  std::uint64_t value;
  std::uint64_t by;  ///< the number of the worker
};

/// A value names who pushed it, and is the n-th of that worker.
struct worker {
  std::uint64_t number = 0;  ///< of the whole job
  std::uint64_t pushed = 0;
  std::uint64_t empty_pops = 0;
  std::vector<popped_value>* log = nullptr;  ///< of its PE

  std::uint64_t next_value() { return number << 32 | pushed++; }
  void note_popped(std::uint64_t value) const { log->push_back({value, number}); }
};

inline std::uint64_t pusher_of(std::uint64_t value) { return value >> 32; }
inline std::uint64_t place_of(std::uint64_t value) { return value & 0xffffffff; }

/// The workers of a PE.
struct team {
  std::optional<held_memory> held;
  std::vector<worker> workers;
  std::vector<popped_value> popped;  ///< in order; one page after the other, not one a worker
  std::uint64_t popped_at_end = 0;   ///< from there on they stand that were popped by `drain`
  std::vector<std::vector<std::uint8_t>> times_popped;  ///< of each value of theirs; up to 2
  std::uint64_t made_up = 0;                            ///< popped, and never pushed by them
};

/// What the workers of all PEs have done.
struct tally {
  std::uint64_t pushed = 0;
  std::uint64_t popped = 0;
  std::uint64_t empty_pops = 0;
  std::uint64_t lost = 0;
  std::uint64_t made_up = 0;
  std::uint64_t out_of_order = 0;
};

/// As many workers on each PE as the setting says, with room for what they pop.
task<per_pe<team>> make_teams(std::uint64_t operations_each, double mix);

task<tally> count(per_pe<team> teams);

/// The order in which a worker pops the values of one pusher.
enum class order : std::uint8_t {
  as_pushed,  ///< a queue's, always
  reversed    ///< a stack's, once nobody pushes any more: in `drain`
};

/// As `count`, and compares what was pushed and what was popped; everything has been by now.
task<tally> check(per_pe<team> teams, order wanted);

/// Every worker of the job runs `work(worker)`, a coroutine.
template <class Work>
task<> on_all_workers(per_pe<team> teams, Work work) {
  const auto of_pe = [teams, work] {
    for (auto& one : teams->workers) spawn([&one, work] { return work(one); });
  };
  co_await on_all_pes(of_pe);
}

/// Pops until nothing is left. The main task calls it when everything has been pushed.
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
