#pragma once
// This file has memory of one PE for the blocks of region instances, and for chunks of
// contributions (entry_lists.hpp).

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace atl {
class memory_account;
}

namespace atl::regions {

/// Zeroed memory of this PE for data. Memory of at least 2 MiB uses huge pages. The memory counts
/// towards the PE's memory limit, as global arrays do. The object may be destroyed after the job
/// has ended.
class own_memory {
 public:
  own_memory() = default;
  /// Allocates `bytes` bytes. Throws atl::error (out_of_memory).
  explicit own_memory(std::uint64_t bytes);
  own_memory(own_memory&& other) noexcept { *this = std::move(other); }
  own_memory& operator=(own_memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(account_, other.account_);
    return *this;
  }
  ~own_memory();

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  memory_account* account_ = nullptr;
};

// The next classes provide memory for chunks of contributions. The first chunks of each list come
// from a pool of the PE. Because short lists reuse memory of the pool, the system need not provide
// and clear new pages for them.

/// A pool of memory pieces of 64 KiB. The pool keeps up to 16 freed pieces (1 MiB) for reuse.
class chunk_pool {
 public:
  static constexpr std::uint64_t k_piece = std::uint64_t{64} << 10;

  struct alignas(64) piece {
    std::array<std::byte, k_piece> bytes;
  };

  std::unique_ptr<piece> take();
  void give_back(std::unique_ptr<piece> used) noexcept;

 private:
  static constexpr std::size_t k_most = 16;

  std::array<std::unique_ptr<piece>, k_most> spare_;
  std::size_t size_ = 0;
};

/// An arena: memory that one task allocates in small amounts, and that the destructor frees all at
/// once. The memory counts towards the memory limit of the PE.
class chunk_memory {
 public:
  chunk_memory();
  chunk_memory(const chunk_memory&) = delete;
  chunk_memory& operator=(const chunk_memory&) = delete;
  ~chunk_memory();

  /// Allocates `bytes` bytes, aligned to a cache line. Throws atl::error (out_of_memory).
  std::byte* take(std::size_t bytes);

 private:
  void add_piece(std::uint64_t bytes);

  memory_account& account_;
  std::shared_ptr<chunk_pool> pool_;
  std::vector<std::unique_ptr<chunk_pool::piece>> small_;
  std::vector<own_memory> large_;
  std::byte* next_ = nullptr;
  std::uint64_t left_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace atl::regions
