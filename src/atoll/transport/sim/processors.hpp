#pragma once
// What the work of the PEs costs in the modelled cluster: what they count, at the prices of
// model.def, the lines they touch by how much memory they hold, and the way to memory that the PEs
// of a node share.

#include "atoll/transport/sim/model.hpp"
#include "atoll/transport/sim/timing.hpp"

#include <vector>

namespace atl::transport::sim {

class processors {
 public:
  processors(const model& parameters, int pes, std::uint64_t node_size);

  /// How long a PE takes for `more` and for what it has counted since the last call. Called by the
  /// PE.
  nanoseconds take(moment at, picoseconds more);

  /// What a line touched at random costs a PE that holds so many bytes, in picoseconds; and the
  /// part of such lines that comes from memory.
  static double price_of_line(const model& parameters, std::uint64_t bytes);
  static double part_from_memory(const model& parameters, std::uint64_t bytes);

 private:
  struct processor {
    std::vector<std::uint64_t> paid;  // by price: what was counted and has been paid for
    picoseconds owed = 0;             // less than a nanosecond
  };
  struct work {
    double time = 0;
    double lines = 0;
    double bytes = 0;  // between memory and the PE
  };

  /// What the way to memory of a node has still to carry, as of its latest use.
  struct memory_way {
    picoseconds time = 0;
    picoseconds backlog = 0;
  };

  work new_work(processor& of) const;
  picoseconds by_the_way_to_memory(int pe, picoseconds time, double bytes);

  const model& parameters_;
  std::size_t node_size_;
  std::vector<processor> processors_;
  std::vector<memory_way> to_memory_;  // by node
};

}  // namespace atl::transport::sim
