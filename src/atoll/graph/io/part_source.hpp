#pragma once
// Reading a part of a file that is not cut where lines or bytes would be, for who does something
// else in between.

#include "atoll/graph/edge_list.hpp"

#include <cstdint>

namespace atl::graph {

class part_source {
 public:
  virtual ~part_source() = default;

  /// Tells the list what is known before anything is read.
  virtual void describe(edge_list& list) const = 0;

  /// Appends the next edges, some 10,000, or none while the beginning of the part is searched for;
  /// false when there are none left. Throws `error` (input).
  virtual bool read_some(edge_list& list) = 0;

  /// How much of the part was read, 0 to 1.
  virtual double progress() const = 0;

  /// Where the last edges began, or what was passed over, or the part: greater than the places
  /// where what stands before it began.
  virtual std::uint64_t offset() const = 0;
};

}  // namespace atl::graph
