#pragma once
// Reports the progress of a kernel that runs on all PEs. The report goes to the PE whose task
// called the kernel.

#include "atoll/graph.hpp"

#include <functional>

namespace atl::kernels {

/// The `progress_view` of the calling task, in a form that can be sent to all PEs. The object may
/// be used only during the call of the kernel, because the object refers to the caller's
/// `progress_view`.
class travelling_progress {
 public:
  explicit travelling_progress(const progress_view& heard) : heard_(&heard), pe_(my_pe()) {}

  /// Reports that the fraction `done` of the work `what` is done. On all PEs except the PE of the
  /// task that made the object, the call does nothing.
  void tell(std::string_view what, double done) const {
    if (my_pe() == pe_) (*heard_.get())(what, done);
  }

  /// Returns a function that reports the fraction of `what` that is done. `what` must be a string
  /// constant. On other PEs the result is an empty function.
  std::function<void(double)> teller(std::string_view what) const {
    if (my_pe() != pe_) return nullptr;
    return [self = *this, what](double done) { self.tell(what, done); };
  }

 private:
  tasks::own_pointer<const progress_view> heard_;
  int pe_;
};

}  // namespace atl::kernels
