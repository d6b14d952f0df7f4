#pragma once
// A thread of an explored program. The body of the thread runs on a stack of its own, and can be
// suspended at any stop.

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>

namespace atl::litmus {

class runner {
 public:
  /// Starts a new body on this thread. The earlier body is abandoned where it was suspended, and
  /// its destructors do not run.
  void start(const std::function<void()>& body) {
    ended_ = false;
    const boost::context::stack_context stack = whole_stack();
    new (inside_) boost::context::fiber(
        std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), kept_stack{},
        [this, &body](boost::context::fiber&& outside) {
          outside_ = std::move(outside);
          body();
          ended_ = true;
          return std::move(outside_);
        });
  }

  /// Runs the body until it is suspended or ends.
  void resume() {
    auto& inside = *std::launder(reinterpret_cast<boost::context::fiber*>(inside_));
    inside = std::move(inside).resume();
  }

  /// Suspends the body, so that `resume` returns. Only the body may call this function.
  void stop() { outside_ = std::move(outside_).resume(); }

  bool ended() const { return ended_; }

 private:
  static constexpr std::size_t stack_bytes = std::size_t{256} << 10;

  struct kept_stack {
    void deallocate(boost::context::stack_context&) noexcept {}
  };

  boost::context::stack_context whole_stack() const {
    boost::context::stack_context stack;
    stack.size = stack_bytes;
    stack.sp = stack_.get() + stack_bytes;
    return stack;
  }

  std::unique_ptr<std::byte[]> stack_{new std::byte[stack_bytes]};
  /// The fiber that runs the body. The fiber is never destroyed, because its destructor would
  /// unwind the body.
  alignas(boost::context::fiber) std::byte inside_[sizeof(boost::context::fiber)];
  boost::context::fiber outside_;
  bool ended_ = true;
};

}  // namespace atl::litmus
