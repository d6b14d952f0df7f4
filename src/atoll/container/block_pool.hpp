#pragma once
// Memory for the blocks of a hash table, which are taken and given back all the time as it grows.

#include "atoll/local_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace atl::container {

/// Gives out runs of units, aligned as cache lines are. Free runs beside each other become one.
/// Memory comes from the system in chunks that grow with what is held, with huge pages where they
/// are large enough, and goes back when the pool ends; runs of more than 64 units have their own.
/// Of one PE, and used by that alone.
class block_pool {
 public:
  /// A unit is a multiple of a cache line.
  explicit block_pool(std::size_t unit_bytes) : unit_bytes_(unit_bytes) { first_.fill(k_none); }

  /// Throws std::bad_alloc or, within a job and beyond its memory limit, atl::error
  /// (out_of_memory).
  std::byte* take(std::uint32_t units);
  void give_back(std::byte* run, std::uint32_t units) noexcept;

  /// Bytes that the pool holds of the system's memory.
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint32_t k_units = 64;  // of a segment
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};

  /// 64 units side by side, in the list of its longest free run.
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
  std::uint64_t lists_in_use_ = 0;  // bit i: segments have a longest free run of i + 1
};

}  // namespace atl::container
