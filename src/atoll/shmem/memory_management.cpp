// Memory management: chapter 9.3 of OpenSHMEM 1.5, and its names from before.

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/include/shmem/deprecated.h"
#include "atoll/shmem/include/shmem/memory.h"
#include "atoll/shmem/symmetric_heap.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace atl::shmem {
namespace {

constexpr std::size_t k_alignment_of_malloc = 64;

void* resize(const char* call, void* old, std::size_t bytes) {
  if (old == nullptr) return allocate(call, bytes, k_alignment_of_malloc);
  if (bytes == 0) {
    release(call, old);
    return nullptr;
  }
  void* const larger = allocate(call, bytes, k_alignment_of_malloc);
  if (larger == nullptr) return nullptr;
  std::memcpy(larger, old, std::min(bytes, bytes_at(call, old)));
  release(call, old);
  return larger;
}

}  // namespace
}  // namespace atl::shmem

using namespace atl::shmem;

ATOLL_SHMEM_DEFINE(void*, shmem_malloc, (size_t size)) {
  return allocate("shmem_malloc", size, k_alignment_of_malloc);
}

ATOLL_SHMEM_DEFINE(void*, shmem_malloc_with_hints, (size_t size, long)) {
  return allocate("shmem_malloc_with_hints", size, k_alignment_of_malloc);
}

ATOLL_SHMEM_DEFINE(void*, shmem_calloc, (size_t count, size_t size)) {
  if (size != 0 && count > SIZE_MAX / size) return nullptr;
  return allocate("shmem_calloc", count * size, k_alignment_of_malloc);
}

ATOLL_SHMEM_DEFINE(void*, shmem_align, (size_t alignment, size_t size)) {
  return allocate("shmem_align", size, alignment);
}

ATOLL_SHMEM_DEFINE(void*, shmem_realloc, (void* ptr, size_t size)) {
  return resize("shmem_realloc", ptr, size);
}

ATOLL_SHMEM_DEFINE(void, shmem_free, (void* ptr)) { release("shmem_free", ptr); }

ATOLL_SHMEM_DEFINE(void*, shmalloc, (size_t size)) { return pshmem_malloc(size); }

ATOLL_SHMEM_DEFINE(void, shfree, (void* ptr)) { pshmem_free(ptr); }

ATOLL_SHMEM_DEFINE(void*, shrealloc, (void* ptr, size_t size)) { return pshmem_realloc(ptr, size); }

ATOLL_SHMEM_DEFINE(void*, shmemalign, (size_t alignment, size_t size)) {
  return pshmem_align(alignment, size);
}
