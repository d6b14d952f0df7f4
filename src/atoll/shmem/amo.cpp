// Atomic memory operations: chapters 9.7 and 9.8 of OpenSHMEM 1.5, and deprecated names without the
// word atomic. The nonblocking fetch operations (_nbi) are complete when they return, as OpenSHMEM
// allows. A nonblocking fetch operation therefore blocks if the memory of the other PE is not
// directly accessible.

#include "atoll/shmem/include/shmem/amo.h"

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/include/shmem/deprecated.h"
#include "atoll/shmem/ordering.hpp"
#include "atoll/shmem/remote.hpp"

namespace atl::shmem {
namespace ATOLL_SHMEM_HIDDEN calls {

template <class T>
T atomic_fetch(const char* call, const T* source, int pe) {
  return fetching<atomic_kind::load>(call, source, pe);
}

template <class T>
void atomic_set(const char* call, T* dest, T value, int pe) {
  update<atomic_kind::store>(call, dest, pe, value);
}

template <class T>
T atomic_swap(const char* call, T* dest, T value, int pe) {
  return fetching<atomic_kind::exchange>(call, dest, pe, value);
}

template <class T>
T atomic_compare_swap(const char* call, T* dest, T expected, T value, int pe) {
  return fetching<atomic_kind::compare_exchange>(call, dest, pe, value, expected);
}

template <class T>
T atomic_fetch_add(const char* call, T* dest, T value, int pe) {
  return fetching<atomic_kind::add>(call, dest, pe, value);
}

template <class T>
T atomic_fetch_inc(const char* call, T* dest, int pe) {
  return atomic_fetch_add<T>(call, dest, T{1}, pe);
}

template <class T>
void atomic_add(const char* call, T* dest, T value, int pe) {
  update<atomic_kind::add>(call, dest, pe, value);
}

template <class T>
void atomic_inc(const char* call, T* dest, int pe) {
  atomic_add<T>(call, dest, T{1}, pe);
}

// This macro defines the two functions of a bitwise operation: atomic_NAME, and atomic_fetch_NAME,
// which also returns the previous value.
#define ATOLL_SHMEM_BITWISE(NAME, KIND)                                                            \
  template <class T>                                                                               \
  void atomic_##NAME(const char* call, T* dest, T value, int pe) {                                 \
    update<atomic_kind::KIND>(call, dest, pe, value);                                              \
  }                                                                                                \
  template <class T>                                                                               \
  T atomic_fetch_##NAME(const char* call, T* dest, T value, int pe) {                              \
    return fetching<atomic_kind::KIND>(call, dest, pe, value);                                     \
  }
ATOLL_SHMEM_BITWISE(and, bit_and)
ATOLL_SHMEM_BITWISE(or, bit_or)
ATOLL_SHMEM_BITWISE(xor, bit_xor)
#undef ATOLL_SHMEM_BITWISE

// This macro defines NAME_nbi, which stores the result of NAME at the address `before` instead of
// returning it.
#define ATOLL_SHMEM_NBI(NAME)                                                                      \
  template <class T, class... Arguments>                                                           \
  void NAME##_nbi(const char* call, T* before, Arguments... arguments) {                           \
    *before = NAME<T>(call, arguments...);                                                         \
  }
ATOLL_SHMEM_NBI(atomic_fetch)
ATOLL_SHMEM_NBI(atomic_swap)
ATOLL_SHMEM_NBI(atomic_compare_swap)
ATOLL_SHMEM_NBI(atomic_fetch_inc)
ATOLL_SHMEM_NBI(atomic_fetch_add)
ATOLL_SHMEM_NBI(atomic_fetch_and)
ATOLL_SHMEM_NBI(atomic_fetch_or)
ATOLL_SHMEM_NBI(atomic_fetch_xor)
#undef ATOLL_SHMEM_NBI

// This macro defines the function NAME also under its deprecated name OLD.
#define ATOLL_SHMEM_OLD_NAME(OLD, NAME)                                                            \
  template <class T, class... Arguments>                                                           \
  auto OLD(const char* call, Arguments... arguments) {                                             \
    return NAME<T>(call, arguments...);                                                            \
  }
ATOLL_SHMEM_OLD_NAME(fetch, atomic_fetch)
ATOLL_SHMEM_OLD_NAME(set, atomic_set)
ATOLL_SHMEM_OLD_NAME(swap, atomic_swap)
ATOLL_SHMEM_OLD_NAME(cswap, atomic_compare_swap)
ATOLL_SHMEM_OLD_NAME(finc, atomic_fetch_inc)
ATOLL_SHMEM_OLD_NAME(inc, atomic_inc)
ATOLL_SHMEM_OLD_NAME(fadd, atomic_fetch_add)
ATOLL_SHMEM_OLD_NAME(add, atomic_add)
#undef ATOLL_SHMEM_OLD_NAME

}  // namespace ATOLL_SHMEM_HIDDEN calls
}  // namespace atl::shmem

ATOLL_SHMEM_AMO_EXTENDED_TABLE(ATOLL_SHMEM_AMO_EXTENDED, ATOLL_SHMEM_DEFINE_BOTH)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_AMO_STANDARD, ATOLL_SHMEM_DEFINE_BOTH)
ATOLL_SHMEM_AMO_BITWISE_TABLE(ATOLL_SHMEM_AMO_BITWISE, ATOLL_SHMEM_DEFINE_BOTH)
ATOLL_SHMEM_OLD_AMO_EXTENDED_DISTINCT(ATOLL_SHMEM_OLD_AMO_EXTENDED, ATOLL_SHMEM_DEFINE_EACH)
ATOLL_SHMEM_OLD_AMO_DISTINCT(ATOLL_SHMEM_OLD_AMO, ATOLL_SHMEM_DEFINE_EACH)
