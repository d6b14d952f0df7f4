#include "atoll/transport/sim/chances.hpp"

#include <initializer_list>

namespace atl::transport::sim {
namespace {

constexpr std::uint64_t purpose = 0x73696d;  // a stream beside those of the program's own seed
constexpr nanoseconds lateness = 30;         // a late buffer takes so many times longer at most

template <class Value>
Value pick(random_stream& draws, std::initializer_list<Value> values) {
  return values.begin()[draws.below(values.size())];
}

}  // namespace

chances::chances(std::uint64_t seed)
    : draws_(seed, purpose),
      shortest_delay_(pick<nanoseconds>(draws_, {0, 300, 5'000})),
      delay_range_(pick<nanoseconds>(draws_, {100, 1'000, 10'000, 200'000})),
      late_buffers_(pick<std::uint64_t>(draws_, {0, 200, 5'000})),
      interruptions_(pick<std::uint64_t>(draws_, {0, 50, 2'000})),
      longest_interruption_(pick<nanoseconds>(draws_, {1'000, 30'000, 500'000})) {}

nanoseconds chances::delay() {
  const nanoseconds usual = shortest_delay_ + below(delay_range_);
  return draws_.below(65536) < late_buffers_ ? usual * (1 + below(lateness)) : usual;
}

nanoseconds chances::cost(nanoseconds least, nanoseconds range) {
  const nanoseconds usual = least + below(range);
  return draws_.below(65536) < interruptions_ ? usual + below(longest_interruption_) : usual;
}

}  // namespace atl::transport::sim
