// Collectives on teams, as OpenSHMEM 1.5 defines them.

#include "atoll/shmem/include/shmem/collectives.h"

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/collective_calls.hpp"
#include "atoll/shmem/teams.hpp"
#include "atoll/shmem/world.hpp"
#include "atoll/symmetric_collectives.hpp"

namespace atl::shmem {
namespace {

constexpr memory::collective_kind k_barrier_all{"shmem_barrier_all"};
constexpr memory::collective_kind k_sync_all{"shmem_sync_all"};

void wait_for_all(const memory::collective_kind& kind) {
  await(kind.call, [&kind] { return memory::barrier_of_all(site::current(), kind); });
}

}  // namespace

namespace ATOLL_SHMEM_HIDDEN calls {

template <class T>
int broadcast(const char* call, shmem_team_t team, void* dest, const void* source,
              std::size_t nelems, int root) {
  return on_team(call, team, [&](const collective& of) {
    shmem::broadcast(of, dest, source, {nelems, sizeof(T)}, root, false);
  });
}

template <class T>
int collect(const char* call, shmem_team_t team, void* dest, const void* source,
            std::size_t nelems) {
  return on_team(call, team, [&](const collective& of) {
    shmem::collect(of, dest, source, {nelems, sizeof(T)}, k_everyone);
  });
}

template <class T>
int fcollect(const char* call, shmem_team_t team, void* dest, const void* source,
             std::size_t nelems) {
  return on_team(call, team, [&](const collective& of) {
    shmem::fcollect(of, dest, source, {nelems, sizeof(T)}, k_everyone);
  });
}

template <class T>
int alltoalls(const char* call, shmem_team_t team, void* dest, const void* source,
              std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems) {
  return on_team(call, team, [&](const collective& of) {
    shmem::alltoalls(of, dest, source, {nelems, sizeof(T), dst, sst});
  });
}

template <class T>
int alltoall(const char* call, shmem_team_t team, void* dest, const void* source,
             std::size_t nelems) {
  return alltoalls<T>(call, team, dest, source, 1, 1, nelems);
}

}  // namespace ATOLL_SHMEM_HIDDEN calls
}  // namespace atl::shmem

using namespace atl::shmem;

ATOLL_SHMEM_DEFINE(void, shmem_barrier_all, (void)) { wait_for_all(k_barrier_all); }

ATOLL_SHMEM_DEFINE(void, shmem_sync_all, (void)) { wait_for_all(k_sync_all); }

ATOLL_SHMEM_DEFINE(int, shmem_team_sync, (shmem_team_t team)) {
  return on_team("shmem_team_sync", team, [](const collective& of) { meet(of); });
}

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_COLLECT, ATOLL_SHMEM_DEFINE_EACH)
ATOLL_SHMEM_COLLECT_MEM(ATOLL_SHMEM_DEFINE_EACH)

// The next functions are reductions on teams.
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
