#pragma once
// How much address space the memory of each PE gets. All of it is reserved when a job starts, and
// committed when it is touched.

#include "atoll/machine.hpp"
#include "atoll/settings.hpp"

#include <cstdint>

namespace atl::transport::shm {

/// In bytes, the same on all PEs.
struct address_shares {
  std::uint64_t segment_bytes = 0;  ///< a symmetric segment; those of all PEs lie in each of them
  std::uint64_t private_bytes = 0;  ///< memory that other PEs do not reach

  bool operator==(const address_shares&) const = default;
};

/// What there is to divide, in bytes.
struct address_needs {
  std::uint64_t memory = 0;  ///< what a PE can use at most: of the machine or of its control group
  std::uint64_t limit = 0;   ///< of all PEs together (setting memory-limit); 0: none
  address_space_left left;   ///< by the limits of a process
};

/// The needs of a job on this machine now.
address_needs needs_of(const settings& settings);

/// Twice the memory for a segment, of which symmetric arrays get one half, and all of it for
/// private memory; less where a process must leave room for the rest. A half of it is left, and
/// three quarters of what may be written, for buffers, stacks and what the program allocates.
/// `are_together`: the PEs are in one process.
address_shares shares_of(int pes, bool are_together, const address_needs& needs);

/// Half as much, where the kernel refuses so much; false where it cannot be less.
bool halve(address_shares& shares);

}  // namespace atl::transport::shm
