#pragma once
// This file has a memory pool for the blocks of a hash table, which are allocated and freed as the
// table grows.

#include "atoll/local_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace atl::container {

/// A pool that allocates runs of consecutive units of memory. A unit has a fixed size and begins at
/// a cache line. Neighbouring free runs are merged. The pool gets memory from the system in chunks,
/// which become larger as the pool grows. Large chunks use huge pages. The destructor frees the
/// chunks. A run of more than 64 units is allocated directly from the system. A pool belongs to one
/// PE, so it needs no locks.
class block_pool {
 public:
  /// Makes an empty pool. `unit_bytes` is a multiple of a cache line.
  explicit block_pool(std::size_t unit_bytes) : unit_bytes_(unit_bytes) { first_.fill(k_none); }

  /// Allocates a run of `units` units. Throws std::bad_alloc if the system has no memory. Throws
  /// atl::error (out_of_memory) if the PE would exceed its memory limit.
  std::byte* take(std::uint32_t units);
  void give_back(std::byte* run, std::uint32_t units) noexcept;

  /// Returns the number of bytes that the pool has allocated from the system.
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint32_t k_units = 64;  // number of units per segment
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};

  /// A segment of 64 consecutive units. All segments whose longest free run has the same length
  /// (`longest`) form one list, so that the pool finds a segment with enough free units fast.
  struct segment {
    std::byte* begin;
    std::uint64_t free;  // one bit for each unit; a set bit means free
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
  std::vector<chunk> chunks_;                       // sorted by address
  std::array<std::uint32_t, k_units + 1> first_{};  // first segment of each list
  // bit i is set if a segment exists whose longest free run has i + 1 units
  std::uint64_t lists_in_use_ = 0;
};

}  // namespace atl::container
