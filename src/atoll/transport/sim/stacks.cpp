#include "atoll/transport/sim/stacks.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>

namespace atl::transport::sim {
namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t stride = std::size_t{8} << 20;

}  // namespace

stacks::stacks(int count) : bytes_(static_cast<std::size_t>(count) * stride) {
  void* const address = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (address == MAP_FAILED)
    fail(errc::environment, "no address space for the stacks of {} PEs: {}", count,
         refusal_text(errno, refused::memory));
  memory_ = static_cast<std::byte*>(address);
  madvise(memory_, bytes_, MADV_NOHUGEPAGE);  // little of a stack is ever touched
  for (std::size_t at = 0; at < bytes_; at += stride)
    if (mprotect(memory_ + at, guard_bytes, PROT_NONE) != 0) {
      const int reason = errno;
      munmap(memory_, bytes_);
      fail(errc::environment, "no page that ends the stack of a PE (mprotect): {}",
           refusal_text(reason, refused::memory));
    }
}

stacks::~stacks() {
  ASAN_UNPOISON_MEMORY_REGION(memory_, bytes_);  // the last frame of a fiber never returns
  munmap(memory_, bytes_);
}

stack_memory stacks::of(int pe) const noexcept {
  return {memory_ + static_cast<std::size_t>(pe) * stride + guard_bytes, stride - guard_bytes};
}

}  // namespace atl::transport::sim
