#include "atoll/transport/sim/fiber.hpp"

#include <cstring>
#include <cxxabi.h>
#include <utility>

namespace atl::transport::sim {
namespace {

/// The memory outlives the fiber: it is not the library's to free.
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
