// This program uses both interfaces. OpenSHMEM provides memory and collectives. Updates are tasks
// and messages of Atoll, which are aggregated and executed where the data is.
//
// oshrun -np 4 tasks_and_shmem, or mpirun -n 4 tasks_and_shmem

#include <atoll/atoll.hpp>
#include <atoll/shmem_tasks.hpp>
#include <cstdint>
#include <cstdio>
#include <shmem.h>

namespace {

constexpr int k_bins = 16;
constexpr std::uint64_t k_numbers = 1 << 16;  // numbers of all PEs together

long counts[k_bins];  // symmetric memory, like every global variable
long total[k_bins];

/// Sends each number of this PE to the PE that counts its bin.
atl::task<> count_numbers(long* here) {
  const auto pes = static_cast<std::uint64_t>(shmem_n_pes());
  for (auto i = static_cast<std::uint64_t>(shmem_my_pe()); i < k_numbers; i += pes) {
    const std::uint64_t bin = i * i % k_bins;
    const auto there = atl::shmem::address_on(static_cast<int>(bin % pes), &here[bin]);
    atl::async_update(there, [](long& count) { ++count; });
  }
  co_return;
}

}  // namespace

int main() {
  shmem_init();
  auto* const here = static_cast<long*>(shmem_calloc(k_bins, sizeof(long)));
  atl::shmem::run_tasks([here] { return count_numbers(here); });
  for (int bin = 0; bin < k_bins; ++bin) counts[bin] = here[bin];
  shmem_sum_reduce(SHMEM_TEAM_WORLD, total, counts, k_bins);
  if (shmem_my_pe() == 0)
    for (int bin = 0; bin < k_bins; ++bin)
      if (total[bin] != 0) std::printf("bin %2d: %ld\n", bin, total[bin]);
  shmem_free(here);
  shmem_finalize();
  return 0;
}
