#pragma once
// The symmetric segments of the PEs: address space for twice as much as the machine has, for each
// of them, of which symmetric arrays get one half.

#include "atoll/transport/shm/mapping.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace atl::transport::shm {

class segments {
 public:
  /// Takes less address space where a limit (ulimit -v) does not give more. Throws `error`
  /// (environment) when there is hardly any.
  segments(int pes, bool huge_pages);

  /// Maps the segments that another process of this machine has made.
  segments(int pes, bool huge_pages, const foreign_memory& other, std::uint64_t bytes_each);

  std::uint64_t bytes_each() const noexcept { return bytes_each_; }

  /// By PE, for `endpoint::segment`.
  std::byte* const* bases() const noexcept { return bases_.data(); }

  int descriptor() const noexcept { return memory_->descriptor(); }

 private:
  void divide(int pes, bool huge_pages);

  std::uint64_t bytes_each_;
  std::unique_ptr<mapping> memory_;
  std::vector<std::byte*> bases_;
};

}  // namespace atl::transport::shm
