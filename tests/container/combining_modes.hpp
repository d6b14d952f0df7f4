#pragma once
// All modes in which a structure can combine its requests.

#include "atoll/atoll.hpp"

namespace atl::test {

inline constexpr combining_mode k_combining_modes[] = {
    combining_mode::none, combining_mode::central, combining_mode::local, combining_mode::both};

/// Returns a main task that runs the coroutine `body(mode)` for each mode.
template <class Body>
main_function in_all_modes(Body body) {
  return [body]() -> task<> {
    for (const combining_mode mode : k_combining_modes) co_await body(mode);
  };
}

}  // namespace atl::test
