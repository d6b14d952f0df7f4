// Heat spreads along a rod; each PE has a part of the rod. Neighbouring PEs put the cells at the
// ends of their parts into each other's memory. A PE that waits for one neighbour does not delay
// PEs elsewhere on the rod. PE 0 receives the total heat.

#include <atoll/atoll.hpp>
#include <fmt/core.h>
#include <vector>

namespace one_sided = atl::one_sided;

constexpr std::uint64_t k_cells = 1000;  // cells per PE
constexpr std::uint64_t k_steps = 400;

/// The memory into which the neighbours put cells: the cell before the first own cell, the cell
/// after the last, and counters of arrivals. A put of one step may arrive after a put of the next
/// step, so even and odd steps use different halves of the memory.
struct ends {
  atl::symmetric_array<double> cells;
  atl::symmetric_array<std::uint64_t> arrived;

  static std::uint64_t place(std::uint64_t side, std::uint64_t step) {
    return 2 * (step % 2) + side;
  }
};

void send(const ends& at, int pe, std::uint64_t side, std::uint64_t step, double value) {
  one_sided::put_signal(at.cells.on(pe, ends::place(side, step)), std::span(&value, 1),
                        at.arrived.on(pe, ends::place(side, step)), 1,
                        one_sided::signal_operation::add);
}

atl::task<> exchange(const ends& at, std::vector<double>& rod, std::uint64_t step) {
  const int me = atl::my_pe();
  if (me > 0) send(at, me - 1, 1, step, rod[1]);
  if (me < atl::pes() - 1) send(at, me + 1, 0, step, rod[k_cells]);
  for (const std::uint64_t side : {0, 1}) {
    if (me == (side == 0 ? 0 : atl::pes() - 1)) continue;
    const std::uint64_t place = ends::place(side, step);
    co_await one_sided::wait_until(&at.arrived.local()[place], one_sided::comparison::greater_equal,
                                   step / 2 + 1);
    rod[side == 0 ? 0 : k_cells + 1] = at.cells.local()[place];
  }
}

atl::task<> diffuse(ends at, atl::symmetric_array<double> heat) {
  std::vector<double> rod(k_cells + 2), next(k_cells + 2);
  if (atl::my_pe() == 0) rod[1] = rod[2] = 500;
  for (std::uint64_t step = 0; step < k_steps; ++step) {
    co_await exchange(at, rod, step);
    if (atl::my_pe() == 0) rod[0] = rod[1];
    if (atl::my_pe() == atl::pes() - 1) rod[k_cells + 1] = rod[k_cells];
    for (std::uint64_t i = 1; i <= k_cells; ++i)
      next[i] = rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);
    rod.swap(next);
  }
  for (std::uint64_t i = 1; i <= k_cells; ++i) heat.local()[0] += rod[i];
  co_await one_sided::reduce_to(0, heat, heat, atl::sum<double>());
  if (atl::my_pe() == 0)
    fmt::print("{:.6f} of 1000 is left, {:.6f} at the end\n", heat.local()[0], rod[1]);
}

atl::task<> program() {
  const ends at{co_await atl::make_symmetric_array<double>(4),
                co_await atl::make_symmetric_array<std::uint64_t>(4)};
  const auto heat = co_await atl::make_symmetric_array<double>(1);
  co_await atl::on_all_pes([at, heat] { return diffuse(at, heat); });
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
