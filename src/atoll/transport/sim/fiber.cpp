#include "atoll/transport/sim/fiber.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <cstring>
#include <cxxabi.h>
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#include <utility>

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
  // Stacks have no huge pages. Huge pages would waste memory, because most of a stack is never
  // touched.
  madvise(memory_, bytes_, MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < bytes_; at += stride)
    if (mprotect(memory_ + at, guard_bytes, PROT_NONE) != 0) {
      const int reason = errno;
      munmap(memory_, bytes_);
      fail(errc::environment, "no page that ends the stack of a PE (mprotect): {}",
           refusal_text(reason, refused::memory));
    }
}

stacks::~stacks() {
  // For the address sanitizer, parts of the stacks are still in use, because the last function on
  // each stack has never returned.
  ASAN_UNPOISON_MEMORY_REGION(memory_, bytes_);
  munmap(memory_, bytes_);
}

stack_memory stacks::of(int pe) const noexcept {
  return {memory_ + static_cast<std::size_t>(pe) * stride + guard_bytes, stride - guard_bytes};
}

namespace {

/// A stack allocator for Boost that frees nothing, because the class `stacks` owns the memory.
struct kept_stack {
  void deallocate(boost::context::stack_context&) noexcept {}
};

boost::context::preallocated place_of(stack_memory stack) {
  boost::context::stack_context context;
  context.size = stack.bytes;
  context.sp = stack.bottom + stack.bytes;
  return {context.sp, context.size, context};
}

}  // namespace

fiber::fiber(stack_memory stack, std::function<void()> body)
    : body_(std::move(body)),
      stacks_(stack),
      inside_(std::allocator_arg, place_of(stack), kept_stack{},
              [this](boost::context::fiber&& outside) {
                stacks_.first_entered();
                outside_ = std::move(outside);
                body_();
                ended_ = true;
                stacks_.leave_for_good();
                return std::move(outside_);
              }) {}

void fiber::resume() {
  exchange_thread_state();
  stacks_.enter();
  inside_ = std::move(inside_).resume();
  stacks_.left();
  exchange_thread_state();
}

void fiber::suspend() {
  stacks_.leave();
  outside_ = std::move(outside_).resume();
  stacks_.entered();
}

void fiber::exchange_thread_state() noexcept {
  std::swap(current_pe, pe_);
  void* const present = abi::__cxa_get_globals();
  exceptions others{};
  std::memcpy(&others, present, sizeof others);
  std::memcpy(present, &exceptions_, sizeof exceptions_);
  exceptions_ = others;
}

}  // namespace atl::transport::sim
