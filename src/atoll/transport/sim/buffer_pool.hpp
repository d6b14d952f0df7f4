#pragma once
// The memory of network buffers. What is given back is overwritten, so that a late look at it
// shows.

#include "atoll/base/bits.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace atl::transport::sim {

struct free_memory {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};
using buffer = std::unique_ptr<std::byte, free_memory>;

class buffer_pool {
 public:
  /// `packs`: what is under way takes only as much memory as it has bytes, so that a job of many
  /// PEs has room for it; copying it costs time.
  buffer_pool(std::uint32_t capacity, bool packs) : capacity_(capacity), packs_(packs) {}

  /// One of the whole capacity.
  buffer take() {
    if (spare_.empty()) return fresh(capacity_);
    buffer taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }

  /// What is between nodes travels as a copy.
  static buffer copy_of(const void* data, std::uint32_t bytes) {
    buffer copy = fresh(bytes);
    std::memcpy(copy.get(), data, bytes);
    return copy;
  }

  /// The same bytes as they are to travel.
  buffer packed(buffer filled, std::uint32_t bytes) {
    if (!packs_) return filled;
    buffer copy = copy_of(filled.get(), bytes);
    spare_.push_back(std::move(filled));
    return copy;
  }

  /// After the journey.
  void give_back(buffer used, std::uint32_t bytes) {
    std::memset(used.get(), 0xdb, bytes);
    if (!packs_) spare_.push_back(std::move(used));
  }

 private:
  static constexpr std::size_t alignment = 64;

  static buffer fresh(std::size_t bytes) {
    buffer made(static_cast<std::byte*>(std::aligned_alloc(alignment, round_up(bytes, alignment))));
    if (made == nullptr) throw std::bad_alloc();
    return made;
  }

  std::uint32_t capacity_;
  bool packs_;
  std::vector<buffer> spare_;
};

}  // namespace atl::transport::sim
