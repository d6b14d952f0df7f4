#pragma once
// The symmetric segments of the PEs. Each PE has one segment, which the other PEs of the machine
// can access; half of it is for symmetric arrays. `shares_of` also decides how much address space
// each PE has for its private memory. All address space is reserved when a job starts. The kernel
// commits a page when it is first touched.

#include "atoll/machine.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace atl::transport::shm {

/// Address space in bytes that each PE gets. The sizes are the same for all PEs.
struct address_shares {
  /// Size of one symmetric segment; each PE maps the segments of all PEs.
  std::uint64_t segment_bytes = 0;
  std::uint64_t private_bytes = 0;  ///< size of the memory that other PEs cannot access

  bool operator==(const address_shares&) const = default;
};

/// Sizes in bytes that determine how much address space each PE gets.
struct address_needs {
  /// Memory that this machine or its control group can give to one PE at most.
  std::uint64_t memory = 0;
  /// Memory of all PEs together by the setting memory-limit; 0 if there is no limit.
  std::uint64_t limit = 0;
  address_space_left left;  ///< address space that the limits of a process leave
};

/// Returns the needs of a job with these settings on this machine at this moment.
address_needs needs_of(const settings& settings);

/// Returns the address space of each PE. A segment is twice as large as the memory that a PE may
/// use; the private part is as large as this memory. The shares are smaller if the limits of the
/// process are low. Half of the address space and three quarters of the writable memory then stay
/// free for buffers, stacks and allocations of the program. `are_together` states whether all PEs
/// are in one process.
address_shares shares_of(int pes, bool are_together, const address_needs& needs);

/// Halves `shares`, because the kernel has refused so much address space. Returns false if the
/// shares have their minimum already.
bool halve(address_shares& shares);

class segments {
 public:
  /// Reserves `shares`, or less if the kernel refuses so much. Throws `error` (environment) if the
  /// kernel refuses even the minimum.
  segments(int pes, bool huge_pages, address_shares shares);

  /// Maps the segments that another process of this machine has made. The object closes
  /// `descriptor` at its end.
  segments(int pes, bool huge_pages, address_shares shares, int descriptor);

  std::uint64_t bytes_each() const noexcept { return shares_.segment_bytes; }

  /// Returns the address space that was reserved for each PE.
  const address_shares& shares() const noexcept { return shares_; }

  /// Returns the addresses of the segments, by PE.
  std::byte* const* bases() const noexcept { return bases_.data(); }

  /// Returns the bytes of all segments together. Segments are consecutive in memory.
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
