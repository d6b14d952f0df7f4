#include "atoll/observe/shared_memory.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::observe {

shared_memory::shared_memory(const char* name, std::size_t bytes)
    : descriptor_(memfd_create(name, MFD_CLOEXEC)), bytes_(bytes) {
  void* address = MAP_FAILED;
  if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0)
    address =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  const int reason = errno;
  if (address == MAP_FAILED) {
    if (descriptor_ >= 0) close(descriptor_);
    fail(errc::environment, "{} MiB of shared memory for {} could not be had: {}", bytes >> 20,
         name, refusal_text(reason, refused::memory));
  }
  madvise(address, bytes, MADV_DONTDUMP);
  data_ = static_cast<std::byte*>(address);
}

shared_memory::~shared_memory() {
  munmap(data_, bytes_);
  close(descriptor_);
}

}  // namespace atl::observe
