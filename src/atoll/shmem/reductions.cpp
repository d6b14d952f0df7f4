// Reductions on teams: chapter 9.9 of OpenSHMEM 1.5.

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/collective_calls.hpp"
#include "atoll/shmem/include/shmem/collectives.h"
#include "atoll/shmem/teams.hpp"

namespace atl::shmem {
namespace {

int reduce_on_team(const char* call, shmem_team_t team, void* dest, const void* source,
                   const folding& what) {
  return on_team(call, team,
                 [&](const collective& of) { reduce(of, dest, source, what, k_everyone); });
}

}  // namespace
}  // namespace atl::shmem

using namespace atl::shmem;

#define ATOLL_SHMEM_DEFINE_REDUCTION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)           \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_##STEM, PARAMETERS) {                                           \
    return reduce_on_team("shmem_" #STEM, team, dest, source, folding_of<TYPE, GENERIC>(nreduce)); \
  }

ATOLL_SHMEM_REDUCE_BITWISE_TABLE(ATOLL_SHMEM_REDUCE_BITWISE, ATOLL_SHMEM_DEFINE_REDUCTION)
ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_REDUCE_COMPARE, ATOLL_SHMEM_DEFINE_REDUCTION)
ATOLL_SHMEM_REDUCE_ARITHMETIC_TABLE(ATOLL_SHMEM_REDUCE_ARITHMETIC, ATOLL_SHMEM_DEFINE_REDUCTION)
