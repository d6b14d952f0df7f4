#pragma once
// Options that all PageRank programs have in addition to the options of the graph.

#include <cstdint>

#include "support/flags.hpp"

namespace bench::pagerank {

struct parameters {
  double damping = 0.85, tolerance = 1e-4;
  std::uint64_t max_iterations = 100;
};

inline void add_flags(flags& flags, parameters& with) {
  flags.add("damping", with.damping, 0, 1, "how much of a rank goes over arcs");
  flags.add("tolerance", with.tolerance, 0, 2, "ends when ranks change by less, summed");
  flags.add("max-iterations", with.max_iterations, 1, 1'000'000, "ends after so many");
}

}  // namespace bench::pagerank
