#pragma once
// The progress of a call, from the kernel on the PE of its task to who listens there.

#include "atoll/graph.hpp"

#include <functional>

namespace atl::kernels {

/// A `progress_view` that the calling task has, as it travels to all PEs. Within the call only.
class travelling_progress {
 public:
  explicit travelling_progress(const progress_view& heard) : heard_(&heard), pe_(my_pe()) {}

  /// On the PE of the task.
  void tell(std::string_view what, double done) const {
    if (my_pe() == pe_) (*heard_.get())(what, done);
  }

  /// A function that tells which part of `what` is done, which is a constant; nothing on other PEs.
  std::function<void(double)> teller(std::string_view what) const {
    if (my_pe() != pe_) return nullptr;
    return [self = *this, what](double done) { self.tell(what, done); };
  }

 private:
  tasks::own_pointer<const progress_view> heard_;
  int pe_;
};

}  // namespace atl::kernels
