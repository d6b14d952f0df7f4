#pragma once
// The symmetric segments of the PEs, half of which is for symmetric arrays, and each PE's share of
// the address space for its own memory. All of it is reserved when a job starts, and committed when
// touched.

#include "atoll/machine.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace atl::transport::shm {

/// Shares in bytes, equal on all PEs.
struct address_shares {
  std::uint64_t segment_bytes = 0;  ///< size of a symmetric segment; each PE maps all segments
  std::uint64_t private_bytes = 0;  ///< memory that other PEs cannot access

  bool operator==(const address_shares&) const = default;
};

/// Sizes in bytes that limit the shares.
struct address_needs {
  std::uint64_t memory = 0;  ///< usable by a PE at most: of the machine or its control group
  std::uint64_t limit = 0;   ///< for all PEs together (setting memory-limit); 0: none
  address_space_left left;   ///< by the limits of a process
};

/// Returns the needs of a job on this machine now.
address_needs needs_of(const settings& settings);

/// Returns the shares: twice the memory for a segment, half of it for symmetric arrays, and once
/// the memory for private use. Shares are smaller if the process must keep room for buffers, stacks
/// and allocations of the program. Half of the address space, and three quarters of the writable
/// memory, then stay free. `are_together`: the PEs are in one process.
address_shares shares_of(int pes, bool are_together, const address_needs& needs);

/// Halves the shares because the kernel has refused them. Returns false if they cannot get smaller.
bool halve(address_shares& shares);

class segments {
 public:
  /// Reserves the shares, or less if the kernel refuses so much for a segment or the private
  /// memory. Throws `error` (environment) if there is hardly any.
  segments(int pes, bool huge_pages, address_shares shares);

  /// Maps the segments that another process of this machine has made, and owns the descriptor.
  segments(int pes, bool huge_pages, address_shares shares, int descriptor);

  std::uint64_t bytes_each() const noexcept { return shares_.segment_bytes; }

  /// Returns the shares that were reserved.
  const address_shares& shares() const noexcept { return shares_; }

  /// Returns the segments by PE, for `endpoint::segment`.
  std::byte* const* bases() const noexcept { return bases_.data(); }

  /// Returns the size of all segments together, which are consecutive.
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
