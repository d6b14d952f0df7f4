#pragma once
// A plain decoder of a BVGraph with the usual codes, in one thread: the whole file in memory, words
// by counting zeros, lists side by side in memory as they are made.

#include <cstdint>
#include <string>
#include <vector>

#include "support/huge_array.hpp"

namespace bench::bvgraph {

struct encoded {
  std::vector<std::uint8_t> bytes;  ///< of the lists, and some zeros
  std::uint64_t nodes = 0, arcs = 0, window = 0, min_interval = 0;
  unsigned zeta = 3;
};

/// Reads the files. Throws bad_input where other than the usual codes were chosen.
encoded read_encoded(const std::string& path);

struct decoded {
  explicit decoded(const encoded& from) : begins(from.nodes + 1), targets(from.arcs) {}

  huge_array<std::uint64_t> begins;  ///< of the lists in `targets`
  huge_array<std::uint32_t> targets;
};

/// Returns the number of arcs. The input must be right.
std::uint64_t decode(const encoded& from, const decoded& into);

}  // namespace bench::bvgraph
