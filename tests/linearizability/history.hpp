#pragma once
// The operations of tasks on one stack or queue, and their times. A time is the value of a counter,
// which every call and every return of an operation increases.

#include <cstdint>
#include <span>
#include <vector>

namespace atl::test {

enum class discipline { stack, queue };

/// An operation on a stack or queue. All pushed values are distinct.
struct operation {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t value = 0;  ///< the value that was pushed or popped
  bool is_push = false;
  bool is_empty = false;  ///< true for a pop that found nothing
  int pe = 0;
};

using history = std::vector<operation>;

/// Returns true if `a` ended before `b` began.
inline bool precedes(const operation& a, const operation& b) { return a.end < b.begin; }

/// Returns the number of operations that overlap in time with an operation of another PE.
inline std::uint64_t overlapping(std::span<const operation> all) {
  std::uint64_t found = 0;
  for (const auto& one : all) {
    for (const auto& other : all) {
      if (other.pe == one.pe || precedes(one, other) || precedes(other, one)) continue;
      ++found;
      break;
    }
  }
  return found;
}

/// Returns the largest number of operations that were in flight at the same time.
inline std::size_t width(std::span<const operation> all) {
  std::size_t most = 0;
  for (const auto& one : all) {
    std::size_t now = 0;
    for (const auto& other : all) now += other.begin <= one.begin && one.begin <= other.end ? 1 : 0;
    most = std::max(most, now);
  }
  return most;
}

}  // namespace atl::test
