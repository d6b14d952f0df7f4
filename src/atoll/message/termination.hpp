#pragma once
// Termination detection finds out when a job has no more work, by the four-counter method (Mattern
// 1987). A wave sums up the numbers of created and executed messages over all PEs. The job is quiet
// if two successive waves have the same sums, all created messages were executed, and no wave saw a
// runnable task. One wave with equal numbers of created and executed messages does not prove that
// the job is quiet. During a wave, a message may be created on a PE that was already counted, and
// executed on a PE that was not yet counted.

#include "atoll/base/mutants.hpp"

#include <cstdint>
#include <optional>

namespace atl::message {

/// The sums of one wave over all PEs.
struct wave {
  std::uint64_t created = 0;
  std::uint64_t executed = 0;
  std::uint64_t runnable_tasks = 0;

  friend wave operator+(const wave& a, const wave& b) {
    return {a.created + b.created, a.executed + b.executed, a.runnable_tasks + b.runnable_tasks};
  }
  friend bool operator==(const wave&, const wave&) = default;
};

class termination_detector {
 public:
  /// Takes the sums of the next wave. Returns true if the job was quiet between the last two waves.
  /// A wave may begin only after the previous one has ended on all PEs.
  bool quiet_after(const wave& sums) {
    const bool balanced = sums.created == sums.executed && sums.runnable_tasks == 0;
    const bool quiet =
        balanced && (previous_ == sums || mutants::has(mutants::fault::early_termination));
    previous_ = sums;
    return quiet;
  }

 private:
  std::optional<wave> previous_;
};

}  // namespace atl::message
