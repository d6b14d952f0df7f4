#pragma once
// A frame pool provides the memory for the coroutine frames of one PE. The size of a frame is
// rounded up to whole cache lines. Released frames are kept in a free list for their size. New
// frames are taken from chunks of 2 MiB. All chunks except the first use huge pages. The first
// chunk uses small pages, because a PE with few tasks touches only a small part of it. Only the PE
// that owns the pool calls its functions, and a frame is released on the PE that allocated the
// frame.
//
// A chunk consists of slabs, and each slab holds frames of one size. Because the frames of a slab
// have one size, the pool finds all frames without a list of frames. A slab changes its frame size
// only when memory is exhausted.

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

  /// Returns at least `bytes` bytes, aligned to a cache line. Throws atl::error (out_of_memory).
  void* allocate(std::size_t bytes) {
#ifdef ATOLL_SANITIZED
    // Each frame is an allocation of its own, because only then can sanitizers detect a use after
    // the release.
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

  /// Returns whether the memory at `address` belongs to a frame, or belonged to a frame that was
  /// released. The call takes time proportional to the number of large frames.
  bool holds(std::uintptr_t address) const noexcept;

  /// Calls `visit(void*)` for every allocated frame, in no particular order. `visit` must not use
  /// the pool. The call takes time and memory proportional to the number of frames.
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
  /// Frames of one size, stored from `begin` on. Frames before `unused` have been given out.
  struct slab {
    std::byte* begin = nullptr;
    std::byte* unused = nullptr;
    std::byte* end = nullptr;
    std::size_t frame_bytes = 0;

    std::size_t given_out() const {
      return static_cast<std::size_t>(unused - begin) / std::max<std::size_t>(1, frame_bytes);
    }
  };
  /// Header in the cache line before a large frame. The headers link all large frames in a circular
  /// list.
  struct link {
    link* previous = this;
    link* next = this;
    std::size_t bytes = 0;  ///< size of the frame
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
  /// Index of the newest slab of each frame size. Slab 0 is not used.
  std::array<std::size_t, k_classes> newest_slab_{};
  std::vector<slab> slabs_ = std::vector<slab>(1);
  /// Slabs without frames, which may be used for any frame size.
  std::vector<std::byte*> free_slabs_;
  std::byte* unused_ = nullptr;
  std::byte* unused_end_ = nullptr;
  std::vector<chunk> chunks_;
  link large_;
};

}  // namespace atl::tasks
