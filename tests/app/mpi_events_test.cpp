// Tests events, reservations and phase barriers between ranks under mpirun. The program's result
// must be right, even if the runtime has refused an earlier job in the same process.

#include "tests/app/mpi_job.hpp"

namespace atl::app {
namespace {

#ifndef ATOLL_SANITIZED  // Sanitizers would report faults of the MPI libraries.

struct ranks_case {
  std::string library;
  int ranks;
  std::string node_size;
};

class mpi_dependents : public testing::TestWithParam<ranks_case> {};

TEST_P(mpi_dependents, are_right) {
  const auto& [library, ranks, node_size] = GetParam();
  if (!launcher_of(library).is_there()) GTEST_SKIP() << "no " << library << " here";
  expect(fmt::format("timeout 300 {}{} $(dirname $p)/fault_dependents 100 --atoll-node-size {}",
                     launcher_of(library).command, ranks, node_size),
         0, "the result is right\nthe result is right");
}

std::vector<ranks_case> numbers_of_ranks() {
  std::vector<ranks_case> cases;
  for (const std::string library : {"openmpi", "mpich"})
    for (const int ranks : {2, 3, 4})
      for (const std::string node_size : {"1", "auto"})
        cases.push_back({library, ranks, node_size});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(, mpi_dependents, testing::ValuesIn(numbers_of_ranks()),
                         [](const auto& of) {
                           return fmt::format("{}_{}_ranks_node_{}", of.param.library,
                                              of.param.ranks, of.param.node_size);
                         });

#endif

}  // namespace
}  // namespace atl::app
