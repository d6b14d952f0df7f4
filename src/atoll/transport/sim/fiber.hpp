#pragma once
// Simulated PEs are fibers: all of them run in one thread, and each has a stack of its own. A
// switch between fibers also exchanges data of the thread that belong to the running fiber. The
// exchanged data are the current PE, the exceptions being handled, and the state of sanitizers for
// the stack.

#include "atoll/base/pe.hpp"

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define ATOLL_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define ATOLL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATOLL_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define ATOLL_THREAD_SANITIZER 1
#endif
#endif

#ifdef ATOLL_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef ATOLL_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace atl::transport::sim {

struct stack_memory {
  std::byte* bottom;
  std::size_t bytes;
};

/// Tells sanitizers about switches to and from one fiber. The thread calls `enter` before a switch
/// to the fiber, and `left` after the switch back. The fiber calls `first_entered` when it begins,
/// and `leave_for_good` when it ends. If the fiber suspends, it calls `leave` before the switch
/// back to the thread, and `entered` when it is resumed.
class stack_switch {
 public:
#if defined(ATOLL_ADDRESS_SANITIZER)
  explicit stack_switch(stack_memory own) : own_(own) {}
  void enter() { __sanitizer_start_switch_fiber(&outer_fake_, own_.bottom, own_.bytes); }
  void left() { __sanitizer_finish_switch_fiber(outer_fake_, nullptr, nullptr); }
  void first_entered() { __sanitizer_finish_switch_fiber(nullptr, &outer_bottom_, &outer_bytes_); }
  void leave() { __sanitizer_start_switch_fiber(&own_fake_, outer_bottom_, outer_bytes_); }
  void entered() { __sanitizer_finish_switch_fiber(own_fake_, &outer_bottom_, &outer_bytes_); }
  void leave_for_good() { __sanitizer_start_switch_fiber(nullptr, outer_bottom_, outer_bytes_); }

 private:
  stack_memory own_;
  void* own_fake_ = nullptr;
  void* outer_fake_ = nullptr;
  const void* outer_bottom_ = nullptr;
  std::size_t outer_bytes_ = 0;
#elif defined(ATOLL_THREAD_SANITIZER)
  explicit stack_switch(stack_memory) : own_(__tsan_create_fiber(0)) {}
  ~stack_switch() { __tsan_destroy_fiber(own_); }
  void enter() {
    outer_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(own_, 0);
  }
  void left() {}
  void first_entered() {}
  void leave() { __tsan_switch_to_fiber(outer_, 0); }
  void entered() {}
  void leave_for_good() { leave(); }

 private:
  void* own_;
  void* outer_ = nullptr;
#else
  explicit stack_switch(stack_memory) {}
  void enter() {}
  void left() {}
  void first_entered() {}
  void leave() {}
  void entered() {}
  void leave_for_good() {}
#endif
};

/// The memory for the stacks of all PEs. Each stack has 8 MiB, like the usual stack of a process.
/// The kernel allocates memory for a page of a stack when the page is first touched. Below each
/// stack is an inaccessible page, so that a stack overflow ends the process.
class stacks {
 public:
  /// Reserves `count` stacks. Throws `error` (environment) if there is not enough address space.
  explicit stacks(int count);
  ~stacks();
  stacks(const stacks&) = delete;
  stacks& operator=(const stacks&) = delete;

  stack_memory of(int pe) const noexcept;

 private:
  std::byte* memory_;
  std::size_t bytes_;
};

/// A function that runs on a stack of its own, in the thread that resumes it.
class fiber {
 public:
  /// Makes a fiber that executes the function `body`. The function `body` begins at the first call
  /// of `resume`. No exception may leave `body`, and `body` must have ended before the fiber is
  /// destroyed.
  fiber(stack_memory stack, std::function<void()> body);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Runs the body until it calls `suspend` or ends. Code that runs on a fiber must not call
  /// `resume`.
  void resume();

  bool ended() const noexcept { return ended_; }

  /// Calls `function` in the calling thread, with the PE of this fiber as the current PE. The fiber
  /// must be suspended.
  template <class Function>
  void as_its_pe(Function function) {
    std::swap(current_pe, pe_);
    function();
    std::swap(current_pe, pe_);
  }

  /// Suspends the fiber: the call of `resume` returns. The next call of `resume` makes `suspend`
  /// return in the fiber. Only the body of the fiber may call this function.
  void suspend();

 private:
  void exchange_thread_state() noexcept;

  std::function<void()> body_;
  bool ended_ = false;
  stack_switch stacks_;
  boost::context::fiber inside_;   // state of the fiber while it is suspended
  boost::context::fiber outside_;  // state of the caller of `resume` while the fiber runs
  pe* pe_ = nullptr;
  /// The exceptions that the fiber is handling. The C++ runtime stores the exceptions of a thread
  /// in two words (`__cxa_eh_globals` of the Itanium ABI).
  struct exceptions {
    void* caught;
    std::uintptr_t uncaught;
  };
  exceptions exceptions_{};
};

}  // namespace atl::transport::sim
