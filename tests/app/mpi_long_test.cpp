// Tests every kernel under mpirun, with all numbers of ranks and sizes of nodes.

#include "tests/app/mpi_job.hpp"

#include <vector>

namespace atl::app {
namespace {

#ifndef ATOLL_SANITIZED  // Sanitizers would report faults of the MPI libraries.

std::vector<mpi_case> all_cases() {
  std::vector<mpi_case> cases;
  for (const std::string library : {"openmpi", "mpich"})
    for (const int ranks : {1, 2, 3, 4, 7, 8})
      for (const std::string node_size : {"1", "2", "auto"})
        for (const std::string routing : {"off", "direct", "node", "grid"})
          for (const auto& kernel : {k_gups, k_bfs, k_uts, k_cc, k_mst, k_pagerank, k_sort})
            cases.push_back({library, ranks, node_size, routing, kernel});
  return cases;
}

class mpi_matrix : public testing::TestWithParam<mpi_case> {};

TEST_P(mpi_matrix, is_right) { expect_right(GetParam()); }

INSTANTIATE_TEST_SUITE_P(, mpi_matrix, testing::ValuesIn(all_cases()),
                         [](const auto& of) { return name_of(of.param); });

#endif

}  // namespace
}  // namespace atl::app
