#pragma once
// Memory for the blocks of a hash table, which are allocated and freed as the table grows.

#include "atoll/local_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace atl::container {

/// A pool of runs of units, aligned to cache lines; one PE uses it alone. Neighbouring free runs
/// are merged. The system provides memory in chunks that grow with the pool; large chunks use huge
/// pages. Chunks are freed when the pool ends. A run of more than 64 units has its own memory.
class block_pool {
 public:
  /// Makes an empty pool. `unit_bytes` is a multiple of a cache line.
  explicit block_pool(std::size_t unit_bytes) : unit_bytes_(unit_bytes) { first_.fill(k_none); }

  /// Allocates a run of `units` units. Throws std::bad_alloc or, beyond the memory limit of a job,
  /// atl::error (out_of_memory).
  std::byte* take(std::uint32_t units);
  void give_back(std::byte* run, std::uint32_t units) noexcept;

  /// Returns the bytes of system memory that the pool holds.
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint32_t k_units = 64;  // of a segment
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};

  /// A segment of 64 consecutive units, in the list of its longest free run.
  struct segment {
    std::byte* begin;
    std::uint64_t free;  // a bit for each unit
    std::uint32_t longest;
    std::uint32_t before;
    std::uint32_t after;
  };
  struct release {
    std::size_t bytes;
    void operator()(std::byte* memory) const noexcept;
  };
  using owned_memory = std::unique_ptr<std::byte, release>;
  struct chunk {
    owned_memory memory;
    std::uint32_t first_segment;
  };

  static const std::byte* address(const chunk& of) { return of.memory.get(); }
  std::size_t segment_bytes() const { return k_units * unit_bytes_; }
  static owned_memory allocate(std::size_t bytes);
  void add_chunk();
  std::uint32_t segment_of(const std::byte* run) const;
  void change_free(std::uint32_t number, std::uint64_t units) noexcept;
  void enlist(std::uint32_t number) noexcept;
  void unlist(std::uint32_t number) noexcept;

  std::size_t unit_bytes_;
  std::size_t bytes_ = 0;
  std::deque<segment> segments_;
  std::vector<chunk> chunks_;                       // by their addresses
  std::array<std::uint32_t, k_units + 1> first_{};  // of each list
  std::uint64_t lists_in_use_ = 0;                  // bit i: list i + 1 is not empty
};

}  // namespace atl::container
