#pragma once
// The memory of calls that find a result of one graph repeatedly.

#include "atoll/base/site.hpp"
#include "atoll/error.hpp"

#include <memory>
#include <string_view>

namespace atl::kernels {

/// Returns the memory behind `held`, which the functions of `what` use. Throws atl::error (input)
/// that names the line of the call if that memory was freed, or never made.
template <class State>
State& state_of(const std::shared_ptr<State>& held, std::string_view what, site where) {
  if (!held)
    fail(errc::input, "{}: the {} were destroyed, or were never made", to_string(where), what);
  return *held;
}

}  // namespace atl::kernels
