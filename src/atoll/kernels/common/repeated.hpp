#pragma once
// Access to the memory of classes such as `repeated_searches`, which find results of one graph
// repeatedly.

#include "atoll/base/site.hpp"
#include "atoll/error.hpp"

#include <memory>
#include <string_view>

namespace atl::kernels {

/// Returns the object behind `held`. If the object was freed or never made, throws atl::error
/// (input) that names the line of the call. `what` names the class in the message.
template <class State>
State& state_of(const std::shared_ptr<State>& held, std::string_view what, site where) {
  if (!held)
    fail(errc::input, "{}: the {} were destroyed, or were never made", to_string(where), what);
  return *held;
}

}  // namespace atl::kernels
