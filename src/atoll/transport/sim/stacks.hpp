#pragma once
// A stack for each PE, as large as the usual stack of a process: committed when touched, with a
// page below it that nobody may touch.

#include "atoll/transport/sim/stack_switch.hpp"

namespace atl::transport::sim {

class stacks {
 public:
  /// Throws `error` (environment) when there is no address space for them.
  explicit stacks(int count);
  ~stacks();
  stacks(const stacks&) = delete;
  stacks& operator=(const stacks&) = delete;

  stack_memory of(int pe) const noexcept;

 private:
  std::byte* memory_;
  std::size_t bytes_;
};

}  // namespace atl::transport::sim
