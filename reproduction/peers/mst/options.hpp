#pragma once
// The command line of the programs in this folder, which find minimum spanning forests.

#include "atoll/graph/generator.hpp"

#include <cstdint>
#include <string>

#include "reproduction/mst/ways.hpp"
#include "support/flags.hpp"

namespace bench::mst {

struct options {
  std::string kind = "kronecker";
  std::uint64_t scale = 18, vertices = 0, edge_factor = 16, seed = 1, trials = 3;
  double edges_per_vertex = 0;
  atl::reproduction::mst_ways how;
  std::string post = "single", mst_test = "new", local = "sorted", filter = "on";
  std::string exchange = "one-sided";
  std::uint64_t chunks = 8, exchange_bytes = 16 << 20;
  std::uint64_t largest_message = 0x7fff'ffff;
  std::uint64_t processes = 2;
  bool over_hosts = false;
};

/// Adds the flags that all programs have. Each program adds the flags for its own exchanges.
void add_flags(flags& flags, options& o);

/// Returns the graph that the options describe. Throws bad_input for unknown words and for graphs
/// that are too large.
atl::generator_parameters graph_of(const options& o);

/// Returns the variants that the options describe. Throws bad_input for unknown words.
atl::reproduction::mst_ways ways_of(const options& o);

/// Returns true if the value of the flag `flag` is `first`, and false if it is `second`. Throws
/// bad_input if the value is any other word.
bool is_first(const std::string& flag, const std::string& value, const std::string& first,
              const std::string& second);

}  // namespace bench::mst
