#pragma once
// All modes in which requests of a structure gather.

#include "atoll/base/settings.hpp"

namespace atl::test {

inline constexpr combining_mode k_combining_modes[] = {
    combining_mode::none, combining_mode::central, combining_mode::local, combining_mode::both};

}  // namespace atl::test
