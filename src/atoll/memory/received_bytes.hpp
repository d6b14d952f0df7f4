#pragma once
// Bytes that another PE has sent to this one, where they arrived.

#include "atoll/memory/reached_block.hpp"

#include <memory>
#include <span>

namespace atl::memory {

/// Bytes that were sent here, in memory that is theirs.
class received_bytes {
 public:
  received_bytes() = default;
  explicit received_bytes(std::uint64_t size)
      : own_(std::make_unique_for_overwrite<std::byte[]>(size)), all_(own_.get(), size) {}
  received_bytes(reached_block block, std::uint64_t size)
      : block_(std::move(block)), all_(block_.data(), size) {}

  std::span<std::byte> all() const { return all_; }
  const reached_block& block() const { return block_; }

 private:
  std::unique_ptr<std::byte[]> own_;
  reached_block block_;
  std::span<std::byte> all_;
};

}  // namespace atl::memory
