// Point-to-point synchronization: chapter 9.11 of OpenSHMEM 1.5, and its deprecated functions.

#include "atoll/shmem/include/shmem/sync.h"

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/include/shmem/deprecated.h"
#include "atoll/shmem/meeting.hpp"

#include <fmt/format.h>

namespace atl::shmem {
namespace {

[[noreturn]] void refuse_comparison(const char* call, int comparison) {
  refuse(call, fmt::format("cmp {} is no comparison (SHMEM_CMP_EQ and others)", comparison));
}

void check_comparison(const char* call, int comparison) {
  check_running(call);
  if (comparison < SHMEM_CMP_EQ || comparison > SHMEM_CMP_LE) refuse_comparison(call, comparison);
}

template <class T>
bool compares(T seen, int comparison, T value) {
  switch (comparison) {
  case SHMEM_CMP_EQ:
    return seen == value;
  case SHMEM_CMP_NE:
    return seen != value;
  case SHMEM_CMP_GT:
    return seen > value;
  case SHMEM_CMP_GE:
    return seen >= value;
  case SHMEM_CMP_LT:
    return seen < value;
  default:
    return seen <= value;
  }
}

/// An array of variables, and the values with which they are compared: one common value, or one
/// value per variable. A variable is ignored if its element of `status` is not zero.
template <class T>
struct variables {
  const volatile T* at;
  std::size_t count;
  const int* status;
  int comparison;
  const T* values;
  std::size_t step;  ///< distance between consecutive values; 0 if all variables share one value

  bool counts(std::size_t i) const { return status == nullptr || status[i] == 0; }
  bool holds(std::size_t i) const { return compares(look(&at[i]), comparison, values[i * step]); }

  bool is_empty() const {
    for (std::size_t i = 0; i < count; ++i)
      if (counts(i)) return false;
    return true;
  }
  bool all_hold() const {
    for (std::size_t i = 0; i < count; ++i)
      if (counts(i) && !holds(i)) return false;
    return true;
  }
  /// Returns the index of a variable whose condition holds, or SIZE_MAX if no condition holds. The
  /// search begins after the index that this thread found last, so that repeated calls find every
  /// variable at some time.
  std::size_t any() const {
    static thread_local std::size_t last = 0;
    for (std::size_t n = 1; n <= count; ++n) {
      const std::size_t i = (last + n) % count;
      if (counts(i) && holds(i)) return last = i;
    }
    return SIZE_MAX;
  }
  std::size_t some(std::size_t* indices) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (counts(i) && holds(i)) indices[found++] = i;
    return found;
  }
};

template <class T>
variables<T> of_one_value(const char* call, volatile T* at, std::size_t count, const int* status,
                          int comparison, const T& value) {
  check_comparison(call, comparison);
  bytes_of(call, count, sizeof(T));
  return {at, count, status, comparison, &value, 0};
}

template <class T>
variables<T> of_values(const char* call, volatile T* at, std::size_t count, const int* status,
                       int comparison, const T* values) {
  check_comparison(call, comparison);
  bytes_of(call, count, sizeof(T));
  return {at, count, status, comparison, values, 1};
}

/// Returns `found`, the result of a test. If `found` equals `nothing`, the test has failed, and the
/// function lets other PEs run before it returns.
template <class Found>
Found looked_once(const char* call, Found found, Found nothing) {
  if (found == nothing) let_others_go_on(call);
  return found;
}

template <class T>
std::size_t wait_for_any(const char* call, const variables<T>& of) {
  std::size_t found = SIZE_MAX;
  if (!of.is_empty()) wait_for(call, [&] { return (found = of.any()) != SIZE_MAX; });
  return found;
}

template <class T>
std::size_t wait_for_some(const char* call, const variables<T>& of, std::size_t* indices) {
  std::size_t found = 0;
  if (!of.is_empty()) wait_for(call, [&] { return (found = of.some(indices)) != 0; });
  return found;
}

}  // namespace

namespace ATOLL_SHMEM_HIDDEN calls {

template <class T>
void wait_until(const char* call, volatile T* at, int comparison, T value) {
  check_comparison(call, comparison);
  wait_for(call, [&] { return compares(look(at), comparison, value); });
}

template <class T>
int test(const char* call, volatile T* at, int comparison, T value) {
  check_comparison(call, comparison);
  return looked_once(call, compares(look(at), comparison, value) ? 1 : 0, 0);
}

template <class T>
void wait(const char* call, volatile T* at, T value) {
  wait_until<T>(call, at, SHMEM_CMP_NE, value);
}

// Defines the functions on several variables. A function NAME compares all variables with one
// value. A function NAME_vector compares each variable with a value of its own.
#define ATOLL_SHMEM_SETS(MAKE, SUFFIX, VALUE)                                                      \
  template <class T>                                                                               \
  void wait_until_all##SUFFIX(const char* call, volatile T* at, std::size_t count,                 \
                              const int* status, int comparison, VALUE value) {                    \
    const auto all = MAKE<T>(call, at, count, status, comparison, value);                          \
    wait_for(call, [&] { return all.all_hold(); });                                                \
  }                                                                                                \
  template <class T>                                                                               \
  std::size_t wait_until_any##SUFFIX(const char* call, volatile T* at, std::size_t count,          \
                                     const int* status, int comparison, VALUE value) {             \
    return wait_for_any(call, MAKE<T>(call, at, count, status, comparison, value));                \
  }                                                                                                \
  template <class T>                                                                               \
  std::size_t wait_until_some##SUFFIX(const char* call, volatile T* at, std::size_t count,         \
                                      std::size_t* indices, const int* status, int comparison,     \
                                      VALUE value) {                                               \
    return wait_for_some(call, MAKE<T>(call, at, count, status, comparison, value), indices);      \
  }                                                                                                \
  template <class T>                                                                               \
  int test_all##SUFFIX(const char* call, volatile T* at, std::size_t count, const int* status,     \
                       int comparison, VALUE value) {                                              \
    const bool all = MAKE<T>(call, at, count, status, comparison, value).all_hold();               \
    return looked_once(call, all ? 1 : 0, 0);                                                      \
  }                                                                                                \
  template <class T>                                                                               \
  std::size_t test_any##SUFFIX(const char* call, volatile T* at, std::size_t count,                \
                               const int* status, int comparison, VALUE value) {                   \
    return looked_once(call, MAKE<T>(call, at, count, status, comparison, value).any(), SIZE_MAX); \
  }                                                                                                \
  template <class T>                                                                               \
  std::size_t test_some##SUFFIX(const char* call, volatile T* at, std::size_t count,               \
                                std::size_t* indices, const int* status, int comparison,           \
                                VALUE value) {                                                     \
    const auto all = MAKE<T>(call, at, count, status, comparison, value);                          \
    return looked_once(call, all.some(indices), std::size_t{0});                                   \
  }
ATOLL_SHMEM_SETS(of_one_value, , T)
ATOLL_SHMEM_SETS(of_values, _vector, const T*)
#undef ATOLL_SHMEM_SETS

}  // namespace ATOLL_SHMEM_HIDDEN calls
}  // namespace atl::shmem

ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_WAIT_UNTIL, ATOLL_SHMEM_DEFINE_EACH)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TEST, ATOLL_SHMEM_DEFINE_EACH)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_WAIT_UNTIL_SET, ATOLL_SHMEM_DEFINE_EACH)
ATOLL_SHMEM_AMO_TABLE(ATOLL_SHMEM_TEST_SET, ATOLL_SHMEM_DEFINE_EACH)
ATOLL_SHMEM_SHORTS(ATOLL_SHMEM_WAIT_UNTIL, ATOLL_SHMEM_DEFINE_EACH)
ATOLL_SHMEM_SHORTS(ATOLL_SHMEM_TEST, ATOLL_SHMEM_DEFINE_EACH)
ATOLL_SHMEM_OLD_INTEGERS(ATOLL_SHMEM_OLD_WAIT, ATOLL_SHMEM_DEFINE_EACH)

ATOLL_SHMEM_DEFINE(uint64_t, shmem_signal_wait_until,
                   (volatile uint64_t* sig_addr, int cmp, uint64_t cmp_value)) {
  atl::shmem::check_comparison("shmem_signal_wait_until", cmp);
  std::uint64_t seen = 0;
  atl::shmem::wait_for("shmem_signal_wait_until", [&] {
    return atl::shmem::compares(seen = atl::shmem::look(sig_addr), cmp, cmp_value);
  });
  return seen;
}

ATOLL_SHMEM_DEFINE(void, shmem_wait, (volatile long* ivar, long cmp_value)) {
  atl::shmem::calls::wait<long>("shmem_wait", ivar, cmp_value);
}

ATOLL_SHMEM_DEFINE(void, shmem_wait_until, (volatile long* ivar, int cmp, long cmp_value)) {
  atl::shmem::calls::wait_until<long>("shmem_wait_until", ivar, cmp, cmp_value);
}
