// Collectives on active sets, which OpenSHMEM 1.5 keeps for old programs. An active set is a group
// of PEs that the arguments of a call describe. Each call also passes an array (pSync), whose words
// the members of the active set use to synchronise.

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/collective_calls.hpp"
#include "atoll/shmem/errors.hpp"
#include "atoll/shmem/include/shmem/deprecated.h"
#include "atoll/shmem/ordering.hpp"
#include "atoll/shmem/world.hpp"

#include <fmt/format.h>

namespace atl::shmem {
namespace {

/// An active set: `size` PEs, of which the first is `start` and whose numbers are 2^log_stride
/// apart.
struct active_set {
  int start;
  int log_stride;
  int size;
  long* words;

  /// Returns the members of the active set. Ends the job with an error if the active set contains
  /// PEs that do not exist, or if the calling PE is not a member.
  group members(const char* call) const {
    constexpr int k_most_log = 30;
    group who{.start = start, .size = size, .words = reinterpret_cast<sync_words*>(words)};
    if (the_world.pes == 0) refuse_pe(call, start);
    if (log_stride < 0 || log_stride > k_most_log) refuse_set(call);
    who.stride = 1 << log_stride;
    const long last = start + (size - 1L) * who.stride;
    if (start < 0 || size < 1 || last >= the_world.pes) refuse_set(call);
    who.me = who.number_of(the_world.pe);
    if (who.me == -1) refuse_set(call);
    return who;
  }

  [[noreturn]] void refuse_set(const char* call) const {
    refuse(call, fmt::format("the active set PE_start {}, logPE_stride {}, PE_size {} is none of "
                             "PEs of the job with PE {} among them; there are {} PEs",
                             start, log_stride, size, the_world.pe, the_world.pes));
  }
};

void reduce_on_set(const char* call, void* dest, const void* source, const folding& what,
                   const active_set& set) {
  const group all = set.members(call);
  reduce({call, all}, dest, source, what, k_everyone);
}

/// Converts a number of elements. A negative number becomes a very large number, which later checks
/// refuse.
std::size_t count_of(int elements) { return static_cast<std::size_t>(elements); }

}  // namespace

namespace ATOLL_SHMEM_HIDDEN calls {

template <class T>
void broadcast(const char* call, void* dest, const void* source, std::size_t nelems, int root,
               int start, int log_stride, int size, long* sync) {
  const group all = active_set{start, log_stride, size, sync}.members(call);
  shmem::broadcast({call, all}, dest, source, {nelems, sizeof(T)}, root, true);
}

template <class T>
void collect(const char* call, void* dest, const void* source, std::size_t nelems, int start,
             int log_stride, int size, long* sync) {
  const group all = active_set{start, log_stride, size, sync}.members(call);
  shmem::collect({call, all}, dest, source, {nelems, sizeof(T)}, k_everyone);
}

template <class T>
void fcollect(const char* call, void* dest, const void* source, std::size_t nelems, int start,
              int log_stride, int size, long* sync) {
  const group all = active_set{start, log_stride, size, sync}.members(call);
  shmem::fcollect({call, all}, dest, source, {nelems, sizeof(T)}, k_everyone);
}

template <class T>
void alltoalls(const char* call, void* dest, const void* source, std::ptrdiff_t dst,
               std::ptrdiff_t sst, std::size_t nelems, int start, int log_stride, int size,
               long* sync) {
  const group all = active_set{start, log_stride, size, sync}.members(call);
  shmem::alltoalls({call, all}, dest, source, {nelems, sizeof(T), dst, sst});
}

template <class T>
void alltoall(const char* call, void* dest, const void* source, std::size_t nelems, int start,
              int log_stride, int size, long* sync) {
  alltoalls<T>(call, dest, source, 1, 1, nelems, start, log_stride, size, sync);
}

}  // namespace ATOLL_SHMEM_HIDDEN calls
}  // namespace atl::shmem

using namespace atl::shmem;

ATOLL_SHMEM_DEFINE(void, shmem_barrier,
                   (int PE_start, int logPE_stride, int PE_size, long* pSync)) {
  constexpr const char* call = "shmem_barrier";
  const group all = active_set{PE_start, logPE_stride, PE_size, pSync}.members(call);
  quiet(call);
  meet({call, all});
}

ATOLL_SHMEM_DEFINE(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long* pSync)) {
  constexpr const char* call = "shmem_sync";
  const group all = active_set{PE_start, logPE_stride, PE_size, pSync}.members(call);
  meet({call, all});
}

ATOLL_SHMEM_OLD_SIZES(ATOLL_SHMEM_OLD_COLLECTIVES, ATOLL_SHMEM_DEFINE_EACH)

#define ATOLL_SHMEM_DEFINE_OLD_REDUCTION(TYPE, RESULT, STEM, GENERIC, PARAMETERS, ARGUMENTS)       \
  ATOLL_SHMEM_DEFINE(RESULT, shmem_##STEM, PARAMETERS) {                                           \
    static_cast<void>(pWrk);                                                                       \
    reduce_on_set("shmem_" #STEM, dest, source, folding_of<TYPE, GENERIC>(count_of(nreduce)),      \
                  {PE_start, logPE_stride, PE_size, pSync});                                       \
  }

ATOLL_SHMEM_OLD_INTEGERS(ATOLL_SHMEM_OLD_BITWISE, ATOLL_SHMEM_DEFINE_OLD_REDUCTION)
ATOLL_SHMEM_OLD_NUMBERS(ATOLL_SHMEM_OLD_COMPARE, ATOLL_SHMEM_DEFINE_OLD_REDUCTION)
ATOLL_SHMEM_OLD_NUMBERS(ATOLL_SHMEM_OLD_ARITHMETIC, ATOLL_SHMEM_DEFINE_OLD_REDUCTION)
ATOLL_SHMEM_COMPLEXES(ATOLL_SHMEM_OLD_ARITHMETIC, ATOLL_SHMEM_DEFINE_OLD_REDUCTION)
