// Remote memory access: shmem_put, shmem_get and their variants, such as shmem_putmem and
// shmem_int_p. Macros generate the C functions from the templates of this file.

#include "atoll/shmem/include/shmem/rma.h"

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/ordering.hpp"
#include "atoll/shmem/remote.hpp"

namespace atl::shmem {
namespace ATOLL_SHMEM_HIDDEN calls {

template <class T>
[[gnu::always_inline]] inline void put(const char* call, void* dest, const void* source,
                                       std::size_t elements, int pe) {
  put_bytes(call, dest, source, bytes_of(call, elements, sizeof(T)), pe);
}

template <class T>
[[gnu::always_inline]] inline void get(const char* call, void* dest, const void* source,
                                       std::size_t elements, int pe) {
  get_bytes(call, dest, source, bytes_of(call, elements, sizeof(T)), pe);
}

template <class T>
[[gnu::always_inline]] inline void put_nbi(const char* call, void* dest, const void* source,
                                           std::size_t elements, int pe) {
  put_bytes_nbi(call, dest, source, bytes_of(call, elements, sizeof(T)), pe);
}

template <class T>
[[gnu::always_inline]] inline void get_nbi(const char* call, void* dest, const void* source,
                                           std::size_t elements, int pe) {
  get_bytes_nbi(call, dest, source, bytes_of(call, elements, sizeof(T)), pe);
}

template <class T>
[[gnu::always_inline]] inline void p(const char* call, T* dest, const T& value, int pe) {
  const auto to = locate(call, dest, sizeof(T), pe);
  if (to.reached == nullptr)
    return put_far(call, to.place, std::as_bytes(std::span(&value, 1)), false);
  if (reinterpret_cast<std::uintptr_t>(dest) % alignof(T) == 0)
    memory::store_value(to.reached, value);
  else
    std::memcpy(to.reached, &value, sizeof(T));
  stored_to(pe);
}

template <class T>
[[gnu::always_inline]] inline T g(const char* call, const T* source, int pe) {
  T value;
  const auto from = locate(call, source, sizeof(T), pe);
  if (from.reached == nullptr)
    get_far(call, from.place, std::as_writable_bytes(std::span(&value, 1)));
  else
    std::memcpy(&value, from.reached, sizeof(T));
  return value;
}

/// Ends the job if `elements` elements with the stride `stride` do not fit into an address space,
/// so that the product of number and stride never overflows.
void check_stride(const char* call, std::size_t elements, std::size_t element_bytes,
                  std::ptrdiff_t stride) {
  const auto word = static_cast<std::size_t>(stride);
  const std::size_t apart = stride < 0 ? 0 - word : word;
  if (elements > 1 && apart != 0) bytes_of(call, elements, bytes_of(call, apart, element_bytes));
}

template <class T>
void iput(const char* call, void* dest, const void* source, std::ptrdiff_t to_next,
          std::ptrdiff_t from_next, std::size_t elements, int pe) {
  bytes_of(call, elements, sizeof(T));
  for (const std::ptrdiff_t stride : {to_next, from_next})
    check_stride(call, elements, sizeof(T), stride);
  auto* to = static_cast<T*>(dest);
  const auto* from = static_cast<const T*>(source);
  for (std::size_t i = 0; i < elements; ++i, to += to_next, from += from_next)
    put_bytes(call, to, from, sizeof(T), pe);
}

/// Copies elements with strides from PE `pe`. If the memory of PE `pe` is not directly accessible,
/// the gets of all elements are in flight at the same time.
template <class T>
void iget(const char* call, void* dest, const void* source, std::ptrdiff_t to_next,
          std::ptrdiff_t from_next, std::size_t elements, int pe) {
  bytes_of(call, elements, sizeof(T));
  for (const std::ptrdiff_t stride : {to_next, from_next})
    check_stride(call, elements, sizeof(T), stride);
  auto* to = static_cast<T*>(dest);
  const auto* from = static_cast<const T*>(source);
  for (std::size_t i = 0; i < elements; ++i, to += to_next, from += from_next)
    get_bytes_nbi(call, to, from, sizeof(T), pe);
  complete_gets(call, pe);
}

}  // namespace ATOLL_SHMEM_HIDDEN calls
}  // namespace atl::shmem

ATOLL_SHMEM_RMA_TABLE(ATOLL_SHMEM_RMA, ATOLL_SHMEM_DEFINE_BOTH)
ATOLL_SHMEM_SIZES_TABLE(ATOLL_SHMEM_RMA_SIZED, ATOLL_SHMEM_DEFINE_BOTH)
ATOLL_SHMEM_RMA_MEM(ATOLL_SHMEM_DEFINE_BOTH)
