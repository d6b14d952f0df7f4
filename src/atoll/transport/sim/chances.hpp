#pragma once
// Everything that chance decides in a simulated job. A seed first draws a temper, so that seeds
// differ in kind and not only in detail: swift or slow wires, even or wild delays, PEs that are
// interrupted or not. Then it draws each single time.

#include "atoll/base/random.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>

namespace atoll::transport::sim {

class chances {
 public:
  explicit chances(std::uint64_t seed);

  /// How many buffers a pair of PEs has where the settings leave it open.
  std::size_t buffers_of_pair() { return 1 + static_cast<std::size_t>(draws_.below(4)); }

  /// How long a buffer, or the room it took, is under way.
  nanoseconds delay();

  /// What a look for messages takes the PE, and one at the clock. Seldom, far longer: something
  /// else has used its core.
  nanoseconds cost_of_look() { return cost(50, 150); }
  nanoseconds cost_of_clock() { return cost(5, 20); }

  /// How late a PE begins, and how late the death of one is noticed.
  nanoseconds start() { return below(1'000); }
  nanoseconds notice() { return below(10'000'000); }

  /// One of `count`.
  std::size_t one_of(std::size_t count) { return static_cast<std::size_t>(draws_.below(count)); }

 private:
  nanoseconds below(nanoseconds bound) {
    return static_cast<nanoseconds>(draws_.below(static_cast<std::uint64_t>(bound)));
  }
  nanoseconds cost(nanoseconds least, nanoseconds range);

  random_stream draws_;
  nanoseconds shortest_delay_;
  nanoseconds delay_range_;
  std::uint64_t late_buffers_;   ///< in 65536
  std::uint64_t interruptions_;  ///< looks in 65536
  nanoseconds longest_interruption_;
};

}  // namespace atoll::transport::sim
