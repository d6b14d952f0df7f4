#pragma once
// See reservation::try_acquire.

#include "atoll/event/name.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl::events {

task<bool> try_acquire(name of, std::uint32_t mode, site where);

}  // namespace atl::events
