// Every PE has a symmetric segment, which all PEs can access.

#include "job/jobs.hpp"

#include <cstdint>

namespace atl::transport {
namespace {

using segment = jobs;

std::uint64_t& word(endpoint& wire, int pe, int index) {
  return reinterpret_cast<std::uint64_t*>(wire.segment(pe))[index];
}

TEST_P(segment, of_every_pe_is_zero_and_takes_what_others_write) {
  const int status = run([](endpoint& wire) {
    require(wire.segment_bytes() >= 64 << 20, "a segment is smaller than 64 MiB");
    for (int pe = 0; pe < wire.size(); ++pe) {
      require(word(wire, pe, wire.rank()) == 0, "a fresh segment is not zero");
      word(wire, pe, wire.rank()) = static_cast<std::uint64_t>(1000 * wire.rank() + pe);
    }
    for (int pe = 0; pe < wire.size(); ++pe) notify(wire, pe);
    for (int pe = 0; pe < wire.size(); ++pe) await_notice(wire);
    for (int pe = 0; pe < wire.size(); ++pe)
      require(word(wire, wire.rank(), pe) == static_cast<std::uint64_t>(1000 * pe + wire.rank()),
              "what another PE wrote is not there");
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_P(segment, ends_where_segment_bytes_says) {
  const int status = run([](endpoint& wire) {
    std::byte* const last = wire.segment(wire.rank()) + wire.segment_bytes() - 1;
    require(*last == std::byte{0}, "the last byte of a fresh segment is not zero");
    *last = std::byte{1};
    return 0;
  });
  EXPECT_EQ(status, 0);
}

ATOLL_INSTANTIATE(segment, all_ways, 1, 2, 3, 4, 7, 8, 64);

}  // namespace
}  // namespace atl::transport
