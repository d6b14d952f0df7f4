#pragma once
// Simulated PEs are fibers: they run in one thread, and each has a stack of its own. A switch
// between fibers also exchanges data that the thread keeps for the running code. The data are the
// current PE, the exceptions being handled, and what sanitizers know about the stack.

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
/// to the fiber and `left` after the switch back. The fiber first calls `first_entered`. The fiber
/// calls `leave` before each switch away, `entered` after it is resumed, and `leave_for_good` at
/// its end.
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

/// One stack per PE. Each has 8 MiB, like the usual stack of a process. The kernel commits a page
/// of a stack when it is first touched. Below each stack is an inaccessible page, so that a stack
/// overflow ends the process.
class stacks {
 public:
  /// Throws `error` (environment) if there is no address space for the stacks.
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
  /// Makes a fiber for `body`, which begins at the first `resume`. No exception may leave `body`.
  /// `body` must have ended before the fiber is destroyed.
  fiber(stack_memory stack, std::function<void()> body);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Runs the body until it calls `suspend` or ends. A fiber must not call this.
  void resume();

  bool ended() const noexcept { return ended_; }

  /// Calls `function` with the PE of this fiber as the current PE. The fiber must be suspended.
  template <class Function>
  void as_its_pe(Function function) {
    std::swap(current_pe, pe_);
    function();
    std::swap(current_pe, pe_);
  }

  /// Makes the call of `resume` return. The next `resume` continues after this call. Only the body
  /// may call this.
  void suspend();

 private:
  void exchange_thread_state() noexcept;

  std::function<void()> body_;
  bool ended_ = false;
  stack_switch stacks_;
  boost::context::fiber inside_;   // context of the body while it is suspended
  boost::context::fiber outside_;  // context of the caller of `resume` while the body runs
  pe* pe_ = nullptr;
  /// The exceptions that are being handled. For each thread, the C++ runtime stores these
  /// exceptions in two words (__cxa_eh_globals of the Itanium ABI).
  struct exceptions {
    void* caught;
    std::uintptr_t uncaught;
  };
  exceptions exceptions_{};
};

}  // namespace atl::transport::sim
