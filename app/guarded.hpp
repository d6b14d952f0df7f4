#pragma once
// From exceptions to the exit status of the program.

#include <functional>

namespace atl::app {

/// Thrown to end the program with a status whose reason has been said already, such as that of a
/// job that ended early.
struct ended {
  int status;
};

/// Runs `body`; what it throws is printed on standard error and becomes the exit status: that of an
/// `error`, 2 when memory ran out, 4 for anything else.
int guarded(const std::function<int()>& body);

}  // namespace atl::app
