#pragma once
// Exceptions that have left a task or a handler and that nobody has been told yet: who waits for
// the scope gets them when all of it has ended, which may be late, or never.

#include "atoll/base/site.hpp"
#include "atoll/transport/transport.hpp"

#include <exception>
#include <vector>

namespace atl::message {

/// Of one PE. Empty, but when something goes wrong.
class untold_failures {
 public:
  bool empty() const noexcept { return all_.empty(); }

  /// It has left a task that was spawned there; unknown: a handler, or another PE's task.
  void add(std::exception_ptr failure, site spawned, transport::nanoseconds time) noexcept;

  /// Whoever waits for it has it now. Returns where the task was spawned that it has left. Nothing
  /// happens for one that is not here.
  site drop(const std::exception_ptr& failure) noexcept;

  /// Prints those that have waited for a second on standard error, each once.
  void tell_old(int pe, transport::nanoseconds time) { tell_before(pe, time - k_patience); }

  /// Prints all that have not been printed.
  void tell_all(int pe) { tell_before(pe, transport::forever); }

  /// When `tell_old` has something to do.
  transport::nanoseconds next() const noexcept;

 private:
  static constexpr transport::nanoseconds k_patience = 1'000'000'000;

  struct failed {
    std::exception_ptr failure;
    site spawned;
    transport::nanoseconds time;
    bool is_told;
  };

  void tell_before(int pe, transport::nanoseconds time);

  std::vector<failed> all_;
};

}  // namespace atl::message
