#pragma once
// Memory of one PE for the blocks of region instances and for chunks of contributions.

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

/// Zeroed memory of this PE for data. Large memory is in huge pages. The memory counts towards the
/// memory limit like global arrays do. The object and its account may exist longer than the job of
/// their PE.
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

// Memory for chunks of contributions. The first chunk of each list comes from a pool of the PE.
// Short lists therefore need no new pages.

/// Holds pieces of 64 KiB that lists have freed, at most one MiB in all.
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

/// Memory of one task, which counts as memory of its PE. The destructor frees all of the memory.
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
