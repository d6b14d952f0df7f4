#pragma once
// The symmetric segments of the PEs. Each PE has one segment, which the other PEs of the machine
// can access. Half of a segment is for symmetric arrays. All address space of a job is reserved
// when the job starts. The kernel allocates memory for a page when the page is first touched. The
// function `shares_of` decides how much address space each PE gets, for its segment and for its
// private memory.

#include "atoll/machine.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace atl::transport::shm {

/// Sizes in bytes of the address space that each PE gets. The sizes are the same for all PEs.
struct address_shares {
  /// Size of one symmetric segment. Each PE maps the segments of all PEs of its machine.
  std::uint64_t segment_bytes = 0;
  std::uint64_t private_bytes = 0;  ///< size of the memory that other PEs cannot access

  bool operator==(const address_shares&) const = default;
};

/// Sizes in bytes that determine how much address space each PE gets.
struct address_needs {
  /// Largest amount of memory that the machine or its control group can give to one PE.
  std::uint64_t memory = 0;
  /// Maximum memory of all PEs together: the setting `memory-limit`. The value is 0 if there is no
  /// limit.
  std::uint64_t limit = 0;
  address_space_left left;  ///< address space that this process may still use
};

/// Returns the sizes for a job with these settings. The sizes depend on the present state of the
/// machine and of this process.
address_needs needs_of(const settings& settings);

/// Returns how much address space each PE gets. A segment is twice as large as the memory that a PE
/// may use. The private part is as large as the memory that a PE may use. If the limits of the
/// process are low, both sizes are smaller. Under low limits, half of the address space and three
/// quarters of the writable memory stay free for buffers, stacks and allocations of the program.
/// The caller sets `are_together` to true if all PEs are in one process.
address_shares shares_of(int pes, bool are_together, const address_needs& needs);

/// Halves both sizes in `shares`, because the kernel has refused to reserve them. Returns false if
/// both sizes already have their minimum.
bool halve(address_shares& shares);

class segments {
 public:
  /// Reserves address space of the sizes `shares`. If the kernel refuses, halves the sizes until
  /// the kernel accepts. Throws `error` (environment) if the kernel refuses even the minimum.
  segments(int pes, bool huge_pages, address_shares shares);

  /// Maps the segments that another process of this machine has made. The object owns `descriptor`
  /// and closes it in its destructor.
  segments(int pes, bool huge_pages, address_shares shares, int descriptor);

  std::uint64_t bytes_each() const noexcept { return shares_.segment_bytes; }

  /// Returns the sizes that were reserved for each PE, which may be smaller than requested.
  const address_shares& shares() const noexcept { return shares_; }

  /// Returns an array with the address of each PE's segment.
  std::byte* const* bases() const noexcept { return bases_.data(); }

  /// Returns the size in bytes of all segments together. The segments are consecutive in memory.
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
