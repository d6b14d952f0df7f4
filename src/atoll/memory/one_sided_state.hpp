#pragma once

#include "atoll/transport/one_sided.hpp"

#include <memory>

namespace atl::memory {

class symmetric_team;

/// What one-sided access keeps on a PE.
struct one_sided_state {
  /// What was begun beyond the address space and is not known to be complete.
  transport::open_operations open;
  /// Null until there is a collective on symmetric memory.
  std::shared_ptr<symmetric_team> team;
};

}  // namespace atl::memory
