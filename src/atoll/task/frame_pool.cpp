#include "atoll/task/frame_pool.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/memory_limit.hpp"

#include <new>
#include <sys/mman.h>

namespace atoll::tasks {
namespace {

constexpr std::size_t k_chunk = std::size_t{2} << 20;
constexpr std::size_t k_chunks_between_checks = 16;

[[noreturn]] void out_of_memory(std::size_t bytes) {
  fail(errc::out_of_memory,
       "no memory for more tasks: {} bytes are needed and the limit of this process is reached; "
       "spawn fewer tasks at a time (--workers)",
       bytes);
}

}  // namespace

frame_pool::~frame_pool() {
  for (const auto& [memory, bytes] : chunks_) munmap(memory, bytes);
}

void* frame_pool::carve(std::size_t lines) {
#ifdef ATOLL_SANITIZED
  // The sanitizers see a use after the end of a frame only where every frame is its own allocation.
  return allocate_large(lines * k_line);
#else
  const std::size_t bytes = lines * k_line;
  if (static_cast<std::size_t>(unused_end_ - unused_) < bytes) add_chunk();
  void* frame = unused_;
  unused_ += bytes;
  return frame;
#endif
}

void frame_pool::add_chunk() {
  if (chunks_.size() % k_chunks_between_checks == k_chunks_between_checks - 1 &&
      read_memory_status().free() < k_chunks_between_checks * k_chunk) {
    out_of_memory(k_chunks_between_checks * k_chunk);
  }
  chunks_.reserve(chunks_.size() + 1);
  // Twice the size, so that a part of it is aligned to a huge page; the rest is never touched.
  void* memory = mmap(nullptr, 2 * k_chunk, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) out_of_memory(k_chunk);
  chunks_.push_back({memory, 2 * k_chunk});
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  unused_ = reinterpret_cast<std::byte*>((address + k_chunk - 1) / k_chunk * k_chunk);
  unused_end_ = unused_ + k_chunk;
  madvise(unused_, k_chunk, MADV_HUGEPAGE);
}

void* frame_pool::allocate_large(std::size_t bytes) {
  void* frame = ::operator new(bytes, std::align_val_t{k_line}, std::nothrow);
  if (frame == nullptr) out_of_memory(bytes);
  return frame;
}

void frame_pool::release_large(void* frame) noexcept {
  ::operator delete(frame, std::align_val_t{k_line});
}

}  // namespace atoll::tasks
