// Tests the program `atoll-papers` under mpirun.

#include "tests/app/mpi_job.hpp"

namespace atl::reproduction {
namespace {

using namespace app;

#ifndef ATOLL_SANITIZED  // Sanitizers would report faults of the MPI libraries.

mpi_case papers_case(const std::string& library, int ranks, const std::string& node_size,
                     const std::string& routing, const std::string& command) {
  return {library, ranks, node_size, routing, command, "$papers"};
}

const std::string k_queue = "bfs --scale 9 --roots 2 --queue combining";
const std::string k_set = "cc --scale 9 --edge-factor 2 --set combining";
const std::string k_sort_of_papers = "sort --keys 20000 --bits 64";
const std::string k_rank_of_papers = "pagerank --scale 10 --edge-factor 4";
const std::string k_rounds = "mst --scale 10 --edge-factor 4 --filter off --local rounds";
const std::string k_two_sided = "mst --scale 10 --edge-factor 4 --exchange two-sided";

class mpi_variants : public testing::TestWithParam<mpi_case> {};

TEST_P(mpi_variants, are_right) { expect_right(GetParam()); }

INSTANTIATE_TEST_SUITE_P(, mpi_variants,
                         testing::Values(papers_case("openmpi", 3, "2", "auto", k_queue),
                                         papers_case("openmpi", 3, "1", "direct", k_set),
                                         papers_case("mpich", 3, "1", "off", k_queue),
                                         papers_case("mpich", 4, "2", "auto", k_set),
                                         papers_case("openmpi", 4, "2", "auto", k_sort_of_papers),
                                         papers_case("mpich", 3, "1", "direct", k_rank_of_papers),
                                         papers_case("openmpi", 3, "1", "auto", k_rounds),
                                         papers_case("openmpi", 4, "2", "auto", k_two_sided),
                                         papers_case("mpich", 3, "1", "auto", k_two_sided)),
                         [](const auto& of) { return name_of(of.param); });

#endif

}  // namespace
}  // namespace atl::reproduction
