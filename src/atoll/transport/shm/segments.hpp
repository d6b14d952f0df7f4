#pragma once
// The symmetric segments of the PEs, of which symmetric arrays get one half, and the share of the
// address space that the memory of each PE gets. All of it is reserved when a job starts, and
// committed when it is touched.

#include "atoll/machine.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <cstdint>
#include <memory>
#include <vector>

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

class segments {
 public:
  /// Takes less than these shares where the kernel does not give so much, to a segment or to the
  /// private memory beside. Throws `error` (environment) when there is hardly any.
  segments(int pes, bool huge_pages, address_shares shares);

  /// Maps the segments that another process of this machine has made, and owns the descriptor.
  segments(int pes, bool huge_pages, address_shares shares, int descriptor);

  std::uint64_t bytes_each() const noexcept { return shares_.segment_bytes; }

  /// As they were taken.
  const address_shares& shares() const noexcept { return shares_; }

  /// By PE, for `endpoint::segment`.
  std::byte* const* bases() const noexcept { return bases_.data(); }

  /// Of all segments together, one behind the other.
  std::uint64_t bytes() const noexcept { return memory_->size(); }
  int descriptor() const noexcept { return memory_->descriptor(); }

 private:
  void divide(bool huge_pages);

  std::size_t pes_;
  address_shares shares_;
  std::unique_ptr<mapping> memory_;
  std::vector<std::byte*> bases_;
};

}  // namespace atl::transport::shm
