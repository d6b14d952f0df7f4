#pragma once
// The symmetric segments of the PEs, of which symmetric arrays get one half.

#include "atoll/transport/shm/address_shares.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace atl::transport::shm {

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
