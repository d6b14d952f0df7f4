#pragma once
// How offsets are given out, and memory of one PE that the other PEs of its node reach.

#include "atoll/base/memory_account.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace atl::memory {

/// Gives out ranges of [begin, end): first fit, neighbours joined when they come back. Ranges of at
/// least a huge page begin at one, at `large_begin` or behind it; smaller ones at a cache line.
class offset_allocator {
 public:
  /// Bytes that all lengths are multiples of.
  static constexpr std::uint64_t unit = 64;

  offset_allocator(std::uint64_t begin, std::uint64_t end, std::uint64_t large_begin = 0);

  /// The begin of a free range, now taken; nothing when no gap is large enough.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);

  /// Gives back the range that begins at `offset` and returns its length.
  std::uint64_t release(std::uint64_t offset);

 private:
  std::uint64_t large_begin_;
  std::map<std::uint64_t, std::uint64_t> free_;   // begin -> length
  std::map<std::uint64_t, std::uint64_t> taken_;  // begin -> length
};

// Memory of one PE that the other PEs of its node reach, beside the symmetric arrays. It is given
// out by its PE alone, which tells others where they may store.

/// The part of a PE's segment that blocks come from, for that PE alone.
class block_space {
 public:
  /// Offsets from `begin` to `end` of the segment. Of what comes back, as many bytes as `most_kept`
  /// stay with the PE, for the next blocks: new memory has to be cleared.
  block_space(std::byte* segment, std::uint64_t begin, std::uint64_t end, std::uint64_t most_kept,
              memory_account& account)
      : segment_(segment), most_kept_(most_kept), account_(&account), free_(begin, end) {}

  /// The offset of so many bytes, which are anything. Throws atl::error (out_of_memory) beyond what
  /// the PE may hold.
  std::uint64_t take(std::uint64_t bytes);
  void give_back(std::uint64_t offset) noexcept;
  std::byte* at(std::uint64_t offset) const { return segment_ + offset; }

  /// The segment ends before the blocks do.
  void close() noexcept { segment_ = nullptr; }

 private:
  std::byte* segment_;
  std::uint64_t most_kept_;
  std::uint64_t kept_ = 0;
  memory_account* account_;
  offset_allocator free_;
};

/// A block of this PE, until it ends.
class reached_block {
 public:
  reached_block() = default;
  reached_block(std::shared_ptr<block_space> of, std::uint64_t bytes)
      : of_(std::move(of)), offset_(of_->take(bytes)) {}
  reached_block(reached_block&& other) noexcept = default;
  reached_block& operator=(reached_block&& other) noexcept {
    of_.swap(other.of_);
    std::swap(offset_, other.offset_);
    return *this;
  }
  ~reached_block() {
    if (of_ != nullptr) of_->give_back(offset_);
  }

  std::uint64_t offset() const { return offset_; }
  std::byte* data() const { return of_->at(offset_); }

 private:
  std::shared_ptr<block_space> of_;
  std::uint64_t offset_ = 0;
};

}  // namespace atl::memory
