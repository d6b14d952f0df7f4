#pragma once
// Memory for coroutine frames of one PE: free lists of whole cache lines, carved from chunks with
// huge pages. Called by its own PE only; a frame dies on the PE where it was made.

#include "atoll/base/namespace.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace atoll::tasks {

class frame_pool {
 public:
  frame_pool() = default;
  ~frame_pool();
  frame_pool(const frame_pool&) = delete;
  frame_pool& operator=(const frame_pool&) = delete;

  /// At least `bytes` bytes, aligned to a cache line. Throws atoll::error (out_of_memory).
  void* allocate(std::size_t bytes) {
    const std::size_t lines = (bytes + k_line - 1) / k_line;
    if (lines >= free_.size()) [[unlikely]]
      return allocate_large(bytes);
    block*& head = free_[lines];
    if (head == nullptr) [[unlikely]]
      return carve(lines);
    block* taken = head;
    head = taken->next;
    return taken;
  }

  void release(void* frame, std::size_t bytes) noexcept {
#ifdef ATOLL_SANITIZED
    return release_large(frame);
#endif
    const std::size_t lines = (bytes + k_line - 1) / k_line;
    if (lines >= free_.size()) [[unlikely]]
      return release_large(frame);
    auto* freed = static_cast<block*>(frame);
    freed->next = free_[lines];
    free_[lines] = freed;
  }

 private:
  static constexpr std::size_t k_line = 64;
  static constexpr std::size_t k_classes = 17;  // frames of up to 1 KiB come from the free lists

  struct block {
    block* next;
  };
  struct chunk {
    void* memory;
    std::size_t bytes;
  };

  void* carve(std::size_t lines);
  void add_chunk();
  static void* allocate_large(std::size_t bytes);
  static void release_large(void* frame) noexcept;

  std::array<block*, k_classes> free_{};
  std::byte* unused_ = nullptr;
  std::byte* unused_end_ = nullptr;
  std::vector<chunk> chunks_;
};

}  // namespace atoll::tasks
