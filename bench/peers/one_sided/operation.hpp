#pragma once
// An operation to measure. Every process has an object for the operation, and all processes call
// its functions at the same time.

#include <cstdint>
#include <vector>

#include "peers/one_sided/library.hpp"
#include "peers/one_sided/options.hpp"

namespace bench::one_sided {

class operation {
 public:
  virtual ~operation() = default;

  /// Writes the data to move at the source, and different data at the target. The caller performs a
  /// barrier after this call.
  virtual void prepare(unsigned seed) = 0;
  /// Runs `rounds` rounds and returns their time in seconds. If this process only serves other
  /// processes, returns 0. The caller performs a barrier before this call.
  virtual double run(std::uint64_t rounds) = 0;
  /// Returns whether the data of prepare(seed) have arrived. The caller performs a barrier before
  /// this call.
  virtual bool is_right(unsigned seed) = 0;

  virtual std::size_t operations_of_round() const { return 1; }
  /// Returns how many processes perform operations in a round. Each of the `callers()` processes
  /// performs all operations of the round.
  virtual std::size_t callers() const { return 1; }
  /// Returns a fixed number of rounds per batch. If the function returns 0, the number of rounds
  /// depends on the measured time.
  virtual std::uint64_t fixed_rounds() const { return 0; }

  /// Returns the seconds per operation: one value per batch (the default), or one per operation.
  virtual std::vector<double> measure(library& all, const options& o);
};

}  // namespace bench::one_sided
