#include "atoll/transport/shm/mapping.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::transport::shm {
namespace {

void check(bool success, const char* step, std::size_t bytes, const char* purpose) {
  const int reason = errno;
  if (success) return;
  fail(errc::environment, "{} of {} MiB of shared memory for {} failed: {}", step, bytes >> 20,
       purpose, refusal_text(reason, refused::memory));
}

/// Returns a free address for a mapping: a multiple of 2 MiB or, for large mappings, of 64 MiB.
/// The alignment of the address gives each byte of the mapping the same alignment in all processes.
/// Returns null if the kernel may choose the address.
void* place_for(std::size_t bytes) {
  if (bytes < huge_page_size) return nullptr;
  const std::size_t alignment = bytes < largest_alignment ? huge_page_size : largest_alignment;
  void* const free = mmap(nullptr, bytes + alignment, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (free == MAP_FAILED) return nullptr;
  munmap(free, bytes + alignment);
  return reinterpret_cast<void*>(
      round_up(reinterpret_cast<std::uintptr_t>(free), std::uintptr_t{alignment}));
}

/// Maps the file at the address `place`. If another thread already uses the address `place`, the
/// kernel chooses another address.
void* map_at(void* place, std::size_t bytes, int descriptor) {
  return mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
}

}  // namespace

mapping::mapping(std::size_t bytes, const char* purpose)
    : descriptor_(memfd_create("atoll", MFD_CLOEXEC)), size_(bytes) {
  check(descriptor_ >= 0, "creation", bytes, purpose);
  const bool sized = ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0;
  const int reason = errno;
  if (!sized) close(descriptor_);
  errno = reason;
  check(sized, "sizing", bytes, purpose);
  map(purpose);
}

mapping::mapping(int descriptor, std::size_t bytes, const char* purpose)
    : descriptor_(descriptor), size_(bytes) {
  map(purpose);
}

void mapping::map(const char* purpose) {
  void* const address = map_at(place_for(size_), size_, descriptor_);
  const int reason = errno;
  if (address == MAP_FAILED) close(descriptor_);
  errno = reason;
  check(address != MAP_FAILED, "mapping", size_, purpose);
  // The memory is left out of core dumps, because writing a dump would touch all its pages.
  madvise(address, size_, MADV_DONTDUMP);
  data_ = static_cast<std::byte*>(address);
}

mapping::~mapping() {
  munmap(data_, size_);
  close(descriptor_);
}

}  // namespace atl::transport::shm
