#pragma once
// The progress of a call, from the kernel on the PE of its task to the listener there.

#include "atoll/graph.hpp"

#include <functional>

namespace atl::kernels {

/// The `progress_view` of the calling task, in a form that can be sent to all PEs. Use it only
/// within the call.
class travelling_progress {
 public:
  explicit travelling_progress(const progress_view& heard) : heard_(&heard), pe_(my_pe()) {}

  /// Reports progress, on the PE of the task.
  void tell(std::string_view what, double done) const {
    if (my_pe() == pe_) (*heard_.get())(what, done);
  }

  /// Returns a function that reports the fraction of `what`, a constant, that is done. On other PEs
  /// it returns nothing.
  std::function<void(double)> teller(std::string_view what) const {
    if (my_pe() != pe_) return nullptr;
    return [self = *this, what](double done) { self.tell(what, done); };
  }

 private:
  tasks::own_pointer<const progress_view> heard_;
  int pe_;
};

}  // namespace atl::kernels
