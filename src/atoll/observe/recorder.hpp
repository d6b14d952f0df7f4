#pragma once

#include "atoll/observe/lap_clock.hpp"

namespace atoll::observe {

/// What a PE keeps to be looked at. The layers write it, each what it knows; its own PE only.
struct recorder {
  counters counted;
  lap_clock time;
};

}  // namespace atoll::observe
