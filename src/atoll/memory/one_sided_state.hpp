#pragma once

#include "atoll/transport/one_sided.hpp"

namespace atl::memory {

/// What one-sided access keeps on a PE.
struct one_sided_state {
  /// What was begun beyond the address space and is not known to be complete.
  transport::open_operations open;
};

}  // namespace atl::memory
