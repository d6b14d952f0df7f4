#pragma once
// What the properties of a BVGraph say of its graph and its streams of bits.

#include "atoll/graph/io/bvgraph/codes.hpp"
#include "atoll/graph/io/bvgraph/java_properties.hpp"
#include "atoll/graph_files.hpp"

#include <cstdint>
#include <string>

namespace atl::graph::bvgraph {

struct parameters {
  static constexpr std::uint64_t largest_window = bvgraph_lists::largest_window;
  static constexpr std::uint64_t largest_zeta = bvgraph_lists::largest_zeta;
  static constexpr std::uint64_t largest_number = bvgraph_lists::largest_number;

  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;
  std::uint64_t window = 7;          ///< a list may refer to one so many nodes before
  std::uint64_t max_references = 3;  ///< from list to list; who reads does not rely on it
  std::uint64_t min_interval = 4;    ///< the shortest interval; 0: there are none
  std::uint64_t zeta = 3;            ///< k of zeta, or the modulus of golomb

  code outdegrees{code_kind::gamma};
  code references{code_kind::unary};
  code block_counts{code_kind::gamma};
  code blocks{code_kind::gamma};
  code residuals{code_kind::zeta, 3};
  code offsets{code_kind::gamma};

  /// Of the numbers and bounds of intervals, always.
  static constexpr code intervals{code_kind::gamma};
};

/// Throws `error` (input) "FILE:LINE: sentence" for a property that is missing or wrong. Says
/// nothing about whether nodes and arcs are those of the graph.
parameters parameters_of(const java_properties& properties);

/// The flags that are not the default, as in the property compressionflags: "OUTDEGREES_DELTA |
/// RESIDUALS_GAMMA".
std::string flags_of(const parameters& from);

/// The same, read. Throws `error` (input) for a flag that is none.
void take_flags(const java_properties& properties, parameters& into);

}  // namespace atl::graph::bvgraph
