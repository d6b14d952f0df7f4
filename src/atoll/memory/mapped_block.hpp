#pragma once
// This file has an allocator of offsets, and blocks. A block is memory of one PE that other PEs of
// the node can access directly, and that belongs to no global array.

#include "atoll/base/memory_account.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace atl::memory {

/// Allocates ranges of offsets between `begin` and `end` by first fit. Neighbouring free ranges are
/// joined. A range of at least 2 MiB (a huge page) begins at a multiple of 2 MiB, at `large_begin`
/// or later. A smaller range begins at a multiple of 64 bytes.
class offset_allocator {
 public:
  /// The length of each range is a multiple of this number of bytes.
  static constexpr std::uint64_t unit = 64;

  offset_allocator(std::uint64_t begin, std::uint64_t end, std::uint64_t large_begin = 0);

  /// Allocates a range of `bytes` bytes, and returns the offset at which the range begins. Returns
  /// nothing if no free range is large enough.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);

  /// Frees the range that begins at `offset` and returns its length.
  std::uint64_t release(std::uint64_t offset);

 private:
  std::uint64_t large_begin_;
  // Key: first offset of the range; value: length of the range.
  std::map<std::uint64_t, std::uint64_t> free_;
  // Key: first offset of the range; value: length of the range.
  std::map<std::uint64_t, std::uint64_t> taken_;
};

// The next classes allocate blocks of one PE. Only the PE itself allocates its blocks. After
// allocating a block, the PE tells other PEs the offsets at which they may store data in the block.

/// The part of a PE's segment in which the PE allocates blocks.
class block_space {
 public:
  /// Allocates blocks at the offsets from `begin` to `end` of the segment. Up to `most_kept` bytes
  /// of freed memory are kept for later blocks, and the rest is returned to the system. Reusing
  /// kept memory is faster, because the system must clear new memory.
  block_space(std::byte* segment, std::uint64_t begin, std::uint64_t end, std::uint64_t most_kept,
              memory_account& account)
      : segment_(segment), most_kept_(most_kept), account_(&account), free_(begin, end) {}

  /// Allocates a block of `bytes` bytes with unspecified contents, and returns the offset of the
  /// block. Throws atl::error (out_of_memory) if the PE would exceed its memory limit.
  std::uint64_t take(std::uint64_t bytes);
  void give_back(std::uint64_t offset) noexcept;
  std::byte* at(std::uint64_t offset) const { return segment_ + offset; }

  /// Records that the segment is about to be destroyed. The destructors of blocks that are
  /// destroyed later do not access the segment.
  void close() noexcept { segment_ = nullptr; }

 private:
  std::byte* segment_;
  std::uint64_t most_kept_;
  std::uint64_t kept_ = 0;
  memory_account* account_;
  offset_allocator free_;
};

/// A block of this PE's segment. The destructor frees the block.
class mapped_block {
 public:
  mapped_block() = default;
  mapped_block(std::shared_ptr<block_space> of, std::uint64_t bytes)
      : of_(std::move(of)), offset_(of_->take(bytes)) {}
  mapped_block(mapped_block&& other) noexcept = default;
  mapped_block& operator=(mapped_block&& other) noexcept {
    of_.swap(other.of_);
    std::swap(offset_, other.offset_);
    return *this;
  }
  ~mapped_block() {
    if (of_ != nullptr) of_->give_back(offset_);
  }

  std::uint64_t offset() const { return offset_; }
  std::byte* data() const { return of_->at(offset_); }

 private:
  std::shared_ptr<block_space> of_;
  std::uint64_t offset_ = 0;
};

}  // namespace atl::memory
