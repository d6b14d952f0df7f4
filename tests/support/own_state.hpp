#pragma once
// A variable of a test that each PE has separately, whether PEs are processes, threads or
// simulated.

#include "atoll/atoll.hpp"

#include <map>

namespace atl::test {

/// A variable that each PE has separately. The object must be declared `static thread_local`. In a
/// simulated job, all PEs are in one thread, so the object has one element for each PE.
template <class State>
class own_state {
 public:
  /// Returns the variable of this PE. The function must be called within a job.
  State& operator()() { return states_[my_pe()]; }

 private:
  std::map<int, State> states_;
};

}  // namespace atl::test
