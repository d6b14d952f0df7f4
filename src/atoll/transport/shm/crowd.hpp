#pragma once
// Whether others compute on the cores of the job.
//
// A PE that waits gives its core away by yielding, or sleeps until it is woken. Among PEs that
// share a core yielding is the faster way. But a PE that yields to a program that computes is back
// after that program's whole time slice, some milliseconds; a PE that sleeps runs soon after it is
// woken.

#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atl::transport::shm {

/// What a PE learns from its yields.
class crowd {
 public:
  /// It should sleep at once.
  bool is_there(nanoseconds time) const noexcept { return time < until_; }

  /// A yield lasted so long.
  void yielded(nanoseconds begin, nanoseconds end) noexcept {
    seen_ = end - begin < slice ? std::max(0, seen_ - 1) : seen_ + weight;
    if (seen_ < enough) return;
    until_ = end + remembered;
    seen_ = enough - weight;
  }

 private:
  // With 4 PEs of BFS on 2 cores one yield in 10,000 takes more than 1.5 ms; beside programs that
  // compute on both cores every third yield does, and most of those take 4 ms.
  static constexpr nanoseconds slice = 2'000'000;
  static constexpr nanoseconds remembered = 50'000'000;
  static constexpr int weight = 16;  ///< of a slice, in yields that were short
  static constexpr int enough = 3 * weight;

  nanoseconds until_ = 0;
  int seen_ = 0;
};

}  // namespace atl::transport::shm
