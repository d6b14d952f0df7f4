// Collectives beyond OpenSHMEM that give the result to only one PE (shmemx.h).

#include "atoll/shmem/include/shmemx.h"

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/collective_calls.hpp"
#include "atoll/shmem/teams.hpp"

namespace atl::shmem {
namespace ATOLL_SHMEM_HIDDEN calls {

template <class T>
int collect_to(const char* call, shmem_team_t team, void* dest, const void* source,
               std::size_t nelems, int root) {
  return on_team(call, team, [&](const collective& of) {
    collect(of, dest, source, {nelems, sizeof(T)}, root);
  });
}

template <class T>
int fcollect_to(const char* call, shmem_team_t team, void* dest, const void* source,
                std::size_t nelems, int root) {
  return on_team(call, team, [&](const collective& of) {
    fcollect(of, dest, source, {nelems, sizeof(T)}, root);
  });
}

}  // namespace ATOLL_SHMEM_HIDDEN calls

namespace {

int reduce_to_one(const char* call, shmem_team_t team, void* dest, const void* source,
                  const folding& what, int root) {
  return on_team(call, team, [&](const collective& of) { reduce(of, dest, source, what, root); });
}

}  // namespace
}  // namespace atl::shmem

using namespace atl::shmem;

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_COLLECT_TO, ATOLL_SHMEM_DEFINE_EXTENSION)
ATOLL_SHMEM_COLLECT_TO_MEM(ATOLL_SHMEM_DEFINE_EXTENSION)

#define ATOLL_SHMEM_DEFINE_REDUCE_TO(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)           \
  ATOLL_SHMEM_DEFINE(RESULT, shmemx_##STEM, PARAMETERS) {                                          \
    return reduce_to_one("shmemx_" #STEM, team, dest, source, folding_of<TYPE, GENERIC>(nreduce),  \
                         root);                                                                    \
  }

ATOLL_SHMEM_REDUCE_BITWISE_TABLE(ATOLL_SHMEM_REDUCE_TO_BITWISE, ATOLL_SHMEM_DEFINE_REDUCE_TO)
ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_REDUCE_TO_COMPARE, ATOLL_SHMEM_DEFINE_REDUCE_TO)
ATOLL_SHMEM_REDUCE_ARITHMETIC_TABLE(ATOLL_SHMEM_REDUCE_TO_ARITHMETIC, ATOLL_SHMEM_DEFINE_REDUCE_TO)
