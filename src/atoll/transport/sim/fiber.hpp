#pragma once
// A body on a stack of its own, within the thread that resumes it. What the thread keeps for the
// running code goes with the body: its PE, the exceptions it is handling, and what sanitizers know
// of its stack.

#include "atoll/base/pe.hpp"
#include "atoll/transport/sim/stack_switch.hpp"

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <functional>
#include <utility>

namespace atl::transport::sim {

class fiber {
 public:
  /// `body` runs at the first `resume`; no exception may leave it. It must end before the fiber.
  fiber(stack_memory stack, std::function<void()> body);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Runs the body until it suspends or ends. Not from within a fiber.
  void resume();

  bool ended() const noexcept { return ended_; }

  /// Calls `function` as if this fiber did, which is suspended.
  template <class Function>
  void as_its_pe(Function function) {
    std::swap(current_pe, pe_);
    function();
    std::swap(current_pe, pe_);
  }

  /// Returns from `resume`; the next one goes on here. The body only.
  void suspend();

 private:
  void exchange_thread_state() noexcept;

  std::function<void()> body_;
  bool ended_ = false;
  stack_switch stacks_;
  boost::context::fiber inside_;   // the body, while it is suspended
  boost::context::fiber outside_;  // who resumed it, while it runs
  pe* pe_ = nullptr;
  /// The exceptions being handled, as the C++ runtime keeps them for each thread: two words
  /// (__cxa_eh_globals of the Itanium ABI).
  struct exceptions {
    void* caught;
    std::uintptr_t uncaught;
  };
  exceptions exceptions_{};
};

}  // namespace atl::transport::sim
