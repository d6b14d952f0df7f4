#pragma once
// Returns the error of an operation on a structure, in any mode.

#include "container/combining_modes.hpp"

#include <optional>

namespace atl::test {

/// Returns the error that the operation throws, either when it is called or when it is awaited.
template <class Operation>
task<std::optional<error>> error_of(Operation operation) {
  try {
    co_await operation();
  } catch (const error& thrown) {
    co_return thrown;
  }
  co_return std::nullopt;
}

}  // namespace atl::test
