// Every edge of every PE must arrive at PE 0 in order, for any number of edges per PE.

#include "atoll/kernels/common/gather_edges.hpp"
#include "support/run_on.hpp"

namespace {

using namespace atl;

class gather_edges : public test::on_pes {};

/// Returns the number of edges of a PE: none, exactly one batch, one edge more, or several batches.
std::uint64_t edges_on(std::uint64_t pe) {
  constexpr std::uint64_t counts[] = {200'000, 0, kernels::k_gathered_at_once,
                                      kernels::k_gathered_at_once + 1};
  return counts[pe % 4];
}

struct edges_here {
  std::uint64_t size() const { return edges_on(static_cast<std::uint64_t>(my_pe())); }
  edge operator()(std::uint64_t i) const { return {static_cast<std::uint64_t>(my_pe()), 2 * i}; }
};

struct numbered_edge {
  std::uint64_t number;
  edge ends;
};

TEST_P(gather_edges, brings_all_of_each_pe_in_their_order) {
  run_spmd([]() -> task<> {
    std::vector<std::uint64_t> seen(static_cast<std::size_t>(pes()));
    std::uint64_t wrong = 0;
    const auto item = [](std::uint64_t i, edge e) { return numbered_edge{i, e}; };
    const auto look = [&](std::size_t pe, std::span<const numbered_edge> some) {
      for (const auto& [number, ends] : some) {
        const std::uint64_t i = seen[pe]++;
        wrong += number == i && ends == edge{pe, 2 * i} ? 0 : 1;
      }
    };
    co_await kernels::all_gather_edges(edges_here(), item, look);
    EXPECT_EQ(wrong, 0u);
    for (std::uint64_t pe = 0; pe < seen.size(); ++pe)
      EXPECT_EQ(seen[pe], my_pe() == 0 ? edges_on(pe) : 0) << "of PE " << pe;
  });
}

ATOLL_RUN_ON(gather_edges, 1, 2, 3, 8);

}  // namespace
