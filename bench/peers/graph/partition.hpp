#pragma once
// Divides the vertices into equal ranges, one per process. The size of a range is a multiple of the
// bits in a word, so that bitmaps can be sent.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "limits/bfs/csr.hpp"

namespace bench::peers {

using bfs::vertex;

class partition {
 public:
  /// Distributes at most 2^31 vertices.
  partition(std::uint64_t vertices, int processes)
      : vertices_(vertices),
        each_((vertices + static_cast<std::uint64_t>(processes) * 64 - 1) /
              (static_cast<std::uint64_t>(processes) * 64) * 64),
        shift_(31 + static_cast<unsigned>(std::bit_width(each_ - 1))),
        factor_(((std::uint64_t{1} << shift_) + each_ - 1) / each_) {}

  std::uint64_t vertices() const { return vertices_; }
  /// Returns the number of vertices per process. The last processes may have fewer vertices.
  std::uint64_t each() const { return each_; }
  std::uint64_t begin(int process) const {
    return std::min(vertices_, static_cast<std::uint64_t>(process) * each_);
  }
  std::uint64_t size(int process) const { return begin(process + 1) - begin(process); }
  /// Returns the owner of `v`, which is v / each(). A multiplication computes the quotient, and is
  /// exact for v below 2^31.
  int owner(std::uint64_t v) const { return static_cast<int>(v * factor_ >> shift_); }

 private:
  std::uint64_t vertices_, each_;
  unsigned shift_;
  std::uint64_t factor_;
};

}  // namespace bench::peers
