#pragma once
// Memory for coroutine frames of one PE: free lists of whole cache lines, carved from chunks. All
// chunks but the first have huge pages: a PE with few tasks touches little of the first, and the
// kernel clears a huge page as a whole. Called by its own PE only; a frame dies on the PE where it
// was made.
//
// A chunk consists of slabs, each for frames of one size. So the pool can find all frames when it
// is asked, and keeps no list of them. A slab changes its size only when there is no more memory.

#include "atoll/base/memory_account.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace atl::tasks {

class frame_pool {
 public:
  explicit frame_pool(memory_account& account) : account_(account) {}
  ~frame_pool();
  frame_pool(const frame_pool&) = delete;
  frame_pool& operator=(const frame_pool&) = delete;

  /// At least `bytes` bytes, aligned to a cache line. Throws atl::error (out_of_memory).
  void* allocate(std::size_t bytes) {
#ifdef ATOLL_SANITIZED
    // The sanitizers see a use after the end of a frame only where every frame is its own
    // allocation.
    return allocate_large(bytes);
#endif
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
    return release_large(frame, bytes);
#endif
    const std::size_t lines = (bytes + k_line - 1) / k_line;
    if (lines >= free_.size()) [[unlikely]]
      return release_large(frame, bytes);
    auto* freed = static_cast<block*>(frame);
    freed->next = free_[lines];
    free_[lines] = freed;
  }

  /// Whether memory at this address is, or was, of a frame. Takes time by the number of large ones.
  bool holds(std::uintptr_t address) const noexcept;

  /// Calls `visit(void*)` for every frame that was allocated and not released, in no order. Takes
  /// time and memory by the number of frames; `visit` must not use the pool.
  template <class Visit>
  void for_each(Visit visit) const {
    for (void* frame : all_frames()) visit(frame);
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
  /// Frames of one size, from `begin` on; those before `unused` have been given out.
  struct slab {
    std::byte* begin = nullptr;
    std::byte* unused = nullptr;
    std::byte* end = nullptr;
    std::size_t frame_bytes = 0;

    std::size_t given_out() const {
      return static_cast<std::size_t>(unused - begin) / std::max<std::size_t>(1, frame_bytes);
    }
  };
  /// Stands in the line before a large frame: all large frames, in a circle.
  struct link {
    link* previous = this;
    link* next = this;
    std::size_t bytes = 0;  ///< of the frame
  };

  void* carve(std::size_t lines);
  void add_slab(std::size_t lines);
  std::byte* room_for_slab();
  void add_chunk();
  bool take_back_slabs();
  bool take_back_slabs_if_possible() noexcept;
  std::vector<void*> released_frames() const;
  void* allocate_large(std::size_t bytes);
  void release_large(void* frame, std::size_t bytes) noexcept;
  std::vector<void*> all_frames() const;

  memory_account& account_;
  std::array<block*, k_classes> free_{};
  std::array<std::size_t, k_classes> newest_slab_{};  ///< of the size; slab 0 is nobody's
  std::vector<slab> slabs_ = std::vector<slab>(1);
  std::vector<std::byte*> free_slabs_;  ///< of no size
  std::byte* unused_ = nullptr;
  std::byte* unused_end_ = nullptr;
  std::vector<chunk> chunks_;
  link large_;
};

}  // namespace atl::tasks
