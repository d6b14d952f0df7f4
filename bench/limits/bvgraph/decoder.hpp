#pragma once
// A plain decoder of a BVGraph with the default codes, on one thread. The whole file is in memory.
// Code words are decoded by counting zeros, and the lists are written contiguously.

#include <cstdint>
#include <string>
#include <vector>

namespace bench::bvgraph {

struct encoded {
  std::vector<std::uint8_t> bytes;  ///< encoded lists, followed by zeros as padding
  std::uint64_t nodes = 0, arcs = 0, window = 0, min_interval = 0;
  unsigned zeta = 3;
};

/// Reads the files of the graph. Throws bad_input if the graph has codes other than the default.
encoded read_encoded(const std::string& path);

/// An arc in the representation that Atoll uses after reading.
struct arc {
  std::uint64_t from, to;
};

/// Decodes all lists to `targets` or `arcs`, which must have room for all arcs. Returns the number
/// of arcs. `begins` gets the index of the first arc of each list, and must have room for
/// `from.nodes` + 1 elements. The input must be valid.
std::uint64_t decode(const encoded& from, std::uint64_t* begins, std::uint32_t* targets);
std::uint64_t decode(const encoded& from, std::uint64_t* begins, arc* arcs);

}  // namespace bench::bvgraph
