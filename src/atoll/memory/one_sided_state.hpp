#pragma once

#include "atoll/transport/one_sided.hpp"

#include <cstdint>
#include <deque>
#include <memory>

namespace atl::memory {

class symmetric_team;

/// What was begun beyond the address space, is not known to be complete, and no task awaits: in
/// generations, one behind another, so that `quiet` waits for what was begun before it alone.
class open_generations {
 public:
  open_generations() : open_(1) {}

  /// What is begun now counts here.
  transport::open_operations& present() { return open_.back(); }

  /// Begins a generation, where anything is open in the present one; the number of the one before.
  std::uint64_t close() {
    if (open_.back().count != 0) open_.emplace_back();
    return first_ + open_.size() - 2;
  }

  /// All up to this generation are complete.
  bool are_complete(std::uint64_t up_to) {
    while (open_.size() > 1 && open_.front().count == 0) {
      open_.pop_front();
      ++first_;
    }
    return first_ > up_to;
  }

 private:
  std::deque<transport::open_operations> open_;
  std::uint64_t first_ = 1;  // the number of the oldest
};

/// What one-sided access keeps on a PE.
struct one_sided_state {
  open_generations open;
  /// Null until there is a collective on symmetric memory.
  std::shared_ptr<symmetric_team> team;
};

}  // namespace atl::memory
