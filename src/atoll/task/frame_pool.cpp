#include "atoll/task/frame_pool.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/error.hpp"
#include "atoll/machine.hpp"
#include "atoll/settings.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace atl::tasks {
namespace {

// If this variable is true, the leak sanitizer does not search the process for leaks. If a job ends
// early, its suspended tasks and their objects stay in memory, which does not count as a leak.
std::atomic<bool> leak_search_is_left_out = false;

constexpr std::size_t k_chunk = std::size_t{2} << 20;
constexpr std::size_t k_slab = std::size_t{64} << 10;
constexpr std::size_t k_chunks_between_checks = 16;

[[noreturn]] void out_of_memory(std::size_t bytes) {
  fail(errc::out_of_memory,
       "out of memory: no room for more tasks, which need {} bytes more; spawn fewer at a time "
       "(--workers){}",
       bytes, memory_limits_text());
}

}  // namespace

frame_pool::~frame_pool() {
  if (large_.next != &large_) leak_search_is_left_out = true;
  for (const auto& [memory, bytes] : chunks_) munmap(memory, bytes);
}

void* frame_pool::carve(std::size_t lines) {
  const auto is_full = [](const slab& of) { return of.unused == of.end; };
  if (is_full(slabs_[newest_slab_[lines]])) add_slab(lines);
  slab& newest = slabs_[newest_slab_[lines]];
  return std::exchange(newest.unused, newest.unused + newest.frame_bytes);
}

void frame_pool::add_slab(std::size_t lines) {
  slabs_.reserve(slabs_.size() + 1);
  std::byte* const room = room_for_slab();
  const std::size_t bytes = lines * k_line;
  slabs_.push_back({room, room, room + k_slab / bytes * bytes, bytes});
  newest_slab_[lines] = slabs_.size() - 1;
}

std::byte* frame_pool::room_for_slab() {
  if (unused_ == unused_end_ && free_slabs_.empty()) {
    try {
      add_chunk();
    } catch (const error&) {
      if (!take_back_slabs_if_possible()) throw;
    }
  }
  if (free_slabs_.empty()) return std::exchange(unused_, unused_ + k_slab);
  std::byte* const free = free_slabs_.back();
  free_slabs_.pop_back();
  return free;
}

/// A slab is a block of memory for frames of one size. The function puts each slab without a frame
/// in use into `free_slabs_`, so that the slab can be used for frames of another size. Returns
/// false if every slab has a frame in use.
bool frame_pool::take_back_slabs() {
  const std::vector<void*> released = released_frames();
  const auto is_free = [&](const slab& of) {
    const auto first = std::ranges::lower_bound(released, static_cast<void*>(of.begin));
    const auto behind = std::ranges::lower_bound(released, static_cast<void*>(of.end));
    return of.begin != nullptr && static_cast<std::size_t>(behind - first) == of.given_out();
  };
  free_slabs_.reserve(slabs_.size());
  for (slab& of : slabs_)
    if (is_free(of)) free_slabs_.push_back(std::exchange(of, slab()).begin);
  std::ranges::sort(free_slabs_);
  const auto lies_in_free_slab = [this](const block* frame) {
    const auto* const at = reinterpret_cast<const std::byte*>(frame);
    const auto behind = std::ranges::upper_bound(free_slabs_, at);
    return behind != free_slabs_.begin() && at < behind[-1] + k_slab;
  };
  for (block*& head : free_) {
    for (block** at = &head; *at != nullptr;) {
      if (lies_in_free_slab(*at)) {
        *at = (*at)->next;
      } else {
        at = &(*at)->next;
      }
    }
  }
  return !free_slabs_.empty();
}

bool frame_pool::take_back_slabs_if_possible() noexcept {
  try {
    return take_back_slabs();
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void frame_pool::add_chunk() {
  // The first chunk is not charged to the memory account, because even a PE with few tasks needs a
  // first chunk.
  const std::size_t charged = chunks_.empty() ? 0 : k_chunk;
  if (chunks_.size() % k_chunks_between_checks == k_chunks_between_checks - 1 &&
      read_memory_status().free() < k_chunks_between_checks * k_chunk) {
    out_of_memory(k_chunks_between_checks * k_chunk);
  }
  chunks_.reserve(chunks_.size() + 1);
  account_.charge(charged);
  // The mapping has twice the size of a chunk, so that it contains a chunk that is aligned to a
  // huge page. The rest of the mapping is never touched.
  void* memory = mmap(nullptr, 2 * k_chunk, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    account_.release(charged);
    out_of_memory(k_chunk);
  }
  chunks_.push_back({memory, 2 * k_chunk});
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  unused_ = reinterpret_cast<std::byte*>((address + k_chunk - 1) / k_chunk * k_chunk);
  unused_end_ = unused_ + k_chunk;
  const bool wants_huge_pages = current_pe == nullptr || current_pe->options->huge_pages;
  if (chunks_.size() == 1)
    // The advice is for the whole mapping, because the kernel would split a mapping whose parts
    // have different advice. With split mappings, thousands of simulated PEs would need too many
    // mappings.
    madvise(memory, 2 * k_chunk, MADV_NOHUGEPAGE);
  else if (wants_huge_pages)
    madvise(unused_, k_chunk, MADV_HUGEPAGE);
}

void* frame_pool::allocate_large(std::size_t bytes) {
  account_.charge(bytes);
  void* memory = ::operator new(bytes + k_line, std::align_val_t{k_line}, std::nothrow);
  if (memory == nullptr) {
    account_.release(bytes);
    out_of_memory(bytes);
  }
  link* const added = new (memory) link{&large_, large_.next, bytes};
  added->next->previous = added;
  large_.next = added;
  return static_cast<std::byte*>(memory) + k_line;
}

void frame_pool::release_large(void* frame, std::size_t bytes) noexcept {
  account_.release(bytes);
  void* const memory = static_cast<std::byte*>(frame) - k_line;
  const link* const removed = static_cast<link*>(memory);
  removed->previous->next = removed->next;
  removed->next->previous = removed->previous;
  ::operator delete(memory, std::align_val_t{k_line});
}

bool frame_pool::holds(std::uintptr_t address) const noexcept {
  const auto lies_in = [address](const void* memory, std::size_t bytes) {
    return address - reinterpret_cast<std::uintptr_t>(memory) < bytes;
  };
  for (const chunk& each : chunks_)
    if (lies_in(each.memory, each.bytes)) return true;
  for (const link* large = large_.next; large != &large_; large = large->next)
    if (lies_in(large, k_line + large->bytes)) return true;
  return false;
}

std::vector<void*> frame_pool::released_frames() const {
  std::vector<void*> released;
  for (const block* head : free_)
    for (; head != nullptr; head = head->next) released.push_back(const_cast<block*>(head));
  std::ranges::sort(released);
  return released;
}

std::vector<void*> frame_pool::all_frames() const {
  const std::vector<void*> released = released_frames();
  std::vector<void*> found;
  for (const slab& of : slabs_) {
    for (std::byte* frame = of.begin; frame != of.unused; frame += of.frame_bytes)
      if (!std::ranges::binary_search(released, static_cast<void*>(frame))) found.push_back(frame);
  }
  for (link* large = large_.next; large != &large_; large = large->next)
    found.push_back(reinterpret_cast<std::byte*>(large) + k_line);
  return found;
}

/// The sanitizer calls this function at the end of the process. The file sanitizer/lsan_interface.h
/// prescribes the function's name.
extern "C" int leak_search_is_off() asm("__lsan_is_turned_off");
int leak_search_is_off() { return leak_search_is_left_out ? 1 : 0; }

}  // namespace atl::tasks
