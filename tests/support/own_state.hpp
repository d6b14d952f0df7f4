#pragma once
// State of a test that each PE has for itself, whether PEs are processes, threads or simulated.

#include "atoll/atoll.hpp"

#include <map>

namespace atl::test {

/// Declare it `static thread_local`; a simulated job has all its PEs in one thread.
template <class State>
class own_state {
 public:
  /// Returns the state of this PE. Call it within a job only.
  State& operator()() { return states_[my_pe()]; }

 private:
  std::map<int, State> states_;
};

}  // namespace atl::test
