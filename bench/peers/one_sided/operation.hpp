#pragma once
// One operation to measure. Every process has one, and all call its functions at the same time.

#include <cstdint>
#include <vector>

#include "peers/one_sided/library.hpp"
#include "peers/one_sided/options.hpp"

namespace bench::one_sided {

class operation {
 public:
  virtual ~operation() = default;

  /// Writes what is to be moved, and something else where it is to arrive. A barrier follows.
  virtual void prepare(unsigned seed) = 0;
  /// The seconds that `rounds` took; 0 where this process only serves others. A barrier precedes.
  virtual double run(std::uint64_t rounds) = 0;
  /// Whether what prepare(seed) wrote is where it has to be. A barrier precedes.
  virtual bool is_right(unsigned seed) = 0;

  virtual std::size_t operations_of_round() const { return 1; }
  /// Processes that perform the operations of a round, each all of them.
  virtual std::size_t callers() const { return 1; }
  /// Rounds of a batch where the time does not decide, else 0.
  virtual std::uint64_t fixed_rounds() const { return 0; }

  /// Seconds of one operation, for each batch (the default) or for each operation.
  virtual std::vector<double> measure(library& all, const options& o);
};

}  // namespace bench::one_sided
