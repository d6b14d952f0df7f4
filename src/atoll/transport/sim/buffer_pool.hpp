#pragma once
// The memory of network buffers. What is given back is overwritten, so that a late look at it
// shows.

#include "atoll/base/namespace.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace atoll::transport::sim {

struct free_memory {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};
using buffer = std::unique_ptr<std::byte, free_memory>;

class buffer_pool {
 public:
  explicit buffer_pool(std::uint32_t capacity) : capacity_(capacity) {}

  buffer take() {
    if (spare_.empty()) return fresh();
    buffer taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }

  void give_back(buffer used, std::uint32_t bytes) {
    std::memset(used.get(), 0xdb, bytes);
    spare_.push_back(std::move(used));
  }

 private:
  static constexpr std::size_t alignment = 64;

  buffer fresh() const {
    buffer made(static_cast<std::byte*>(std::aligned_alloc(alignment, capacity_)));
    if (made == nullptr) throw std::bad_alloc();
    return made;
  }

  std::uint32_t capacity_;
  std::vector<buffer> spare_;
};

}  // namespace atoll::transport::sim
