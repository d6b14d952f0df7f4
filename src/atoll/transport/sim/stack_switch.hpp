#pragma once
// Stacks of fibers, and what sanitizers are to be told when the thread goes from one to another.

#include <cstddef>

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

/// Of one fiber. Outside: `enter` before a switch to it, `left` after it. Inside: `first_entered`,
/// then `leave` before a switch away and `entered` after it, at last `leave_for_good`.
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

}  // namespace atl::transport::sim
