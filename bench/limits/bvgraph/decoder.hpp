#pragma once
// A plain decoder of a BVGraph with the usual codes, in one thread: the whole file in memory, words
// by counting zeros, lists side by side in memory as they are made.

#include <cstdint>
#include <string>
#include <vector>

namespace bench::bvgraph {

struct encoded {
  std::vector<std::uint8_t> bytes;  ///< of the lists, and some zeros
  std::uint64_t nodes = 0, arcs = 0, window = 0, min_interval = 0;
  unsigned zeta = 3;
};

/// Reads the files. Throws bad_input where other than the usual codes were chosen.
encoded read_encoded(const std::string& path);

/// An arc as Atoll has it after reading.
struct arc {
  std::uint64_t from, to;
};

/// Returns the number of arcs, of which there is room for all: their ends alone, side by side, or
/// pairs. `begins` has room for one more than there are nodes, and tells where the lists begin. The
/// input must be right.
std::uint64_t decode(const encoded& from, std::uint64_t* begins, std::uint32_t* targets);
std::uint64_t decode(const encoded& from, std::uint64_t* begins, arc* arcs);

}  // namespace bench::bvgraph
