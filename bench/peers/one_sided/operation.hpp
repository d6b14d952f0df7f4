#pragma once
// One operation to measure. Every process has an object of it, and all processes call its functions
// at the same time.

#include <cstdint>
#include <vector>

#include "peers/one_sided/library.hpp"
#include "peers/one_sided/options.hpp"

namespace bench::one_sided {

class operation {
 public:
  virtual ~operation() = default;

  /// Writes the data to move at the source, and different data at the target. A barrier follows.
  virtual void prepare(unsigned seed) = 0;
  /// Runs `rounds` rounds and returns their seconds, or 0 if this process only serves others. A
  /// barrier precedes.
  virtual double run(std::uint64_t rounds) = 0;
  /// Returns whether the data of prepare(seed) have arrived. A barrier precedes.
  virtual bool is_right(unsigned seed) = 0;

  virtual std::size_t operations_of_round() const { return 1; }
  /// Returns the number of processes that each perform all operations of a round.
  virtual std::size_t callers() const { return 1; }
  /// Returns a fixed number of rounds per batch, or 0 if the time decides.
  virtual std::uint64_t fixed_rounds() const { return 0; }

  /// Returns the seconds per operation: one value per batch (the default) or one per operation.
  virtual std::vector<double> measure(library& all, const options& o);
};

}  // namespace bench::one_sided
