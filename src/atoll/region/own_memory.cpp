#include "atoll/region/own_memory.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/memory_account.hpp"
#include "atoll/base/pages_and_lines.hpp"
#include "atoll/base/stream_line.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/pe.hpp"
#include "atoll/region/instance_table.hpp"
#include "atoll/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace atl::regions {
namespace {

// Memory of at least this many bytes is mapped from the system, in huge pages if possible. Memory
// mapped from the system is already zeroed.
constexpr std::uint64_t k_mapped = k_huge_page;

std::byte* map_zeroed(std::uint64_t bytes) {
  const std::uint64_t room = bytes + k_huge_page;
  void* const memory = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::byte*>(memory);
  auto* const aligned =
      reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(memory), k_huge_page));
  const auto before = static_cast<std::uint64_t>(aligned - begin);
  if (before != 0) munmap(begin, before);
  if (room - before > bytes) munmap(aligned + bytes, room - before - bytes);
  if (this_pe().options->huge_pages) madvise(aligned, bytes, MADV_HUGEPAGE);
  return aligned;
}

std::byte* clear(std::uint64_t bytes) {
  void* const memory = std::aligned_alloc(k_cache_line, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  std::fill_n(static_cast<std::byte*>(memory), bytes, std::byte{0});
  return static_cast<std::byte*>(memory);
}

std::byte* zeroed(std::uint64_t bytes) {
  return bytes >= k_mapped ? map_zeroed(bytes) : clear(bytes);
}

std::uint64_t rounded(std::uint64_t bytes) {
  return bytes >= k_mapped
             ? round_up<std::uint64_t>(bytes, 4096)
             : round_up<std::uint64_t>(std::max<std::uint64_t>(1, bytes), k_cache_line);
}

}  // namespace

own_memory::own_memory(std::uint64_t bytes) : account_(this_pe().account) {
  const std::uint64_t whole = rounded(bytes);
  account_->charge_data(whole);
  try {
    data_ = zeroed(whole);
  } catch (const std::bad_alloc&) {
    account_->release_data(whole);
    fail(errc::out_of_memory, "out of memory: the system has no {} for a region instance on PE {}",
         human_bytes(static_cast<double>(whole)), my_pe());
  }
  bytes_ = whole;
  this_pe().memory->hold(whole);
}

own_memory::~own_memory() {
  if (data_ == nullptr) return;
  if (bytes_ >= k_mapped)
    munmap(data_, bytes_);
  else
    std::free(data_);
  account_->release_data(bytes_);
  if (current_pe != nullptr) this_pe().memory->let_go(bytes_);
}

namespace {

// A task whose lists have at least `k_most_small` bytes gets further memory as large mappings,
// which use huge pages.
constexpr std::uint64_t k_most_small = std::uint64_t{1} << 20;

}  // namespace

std::unique_ptr<chunk_pool::piece> chunk_pool::take() {
  if (size_ > 0) return std::move(spare_[--size_]);
  // `new piece()` would fill the memory with zeros, which takes time.
  return std::unique_ptr<piece>(new piece);
}

void chunk_pool::give_back(std::unique_ptr<piece> used) noexcept {
  if (size_ < k_most) spare_[size_++] = std::move(used);
}

chunk_memory::chunk_memory()
    : account_(*this_pe().account), pool_(instance_table::here().chunks()) {}

chunk_memory::~chunk_memory() {
  account_.release(small_.size() * chunk_pool::k_piece);
  for (auto& piece : small_) pool_->give_back(std::move(piece));
}

void chunk_memory::add_piece(std::uint64_t bytes) {
  if (bytes > chunk_pool::k_piece || bytes_ >= k_most_small) {
    large_.emplace_back(std::max(bytes, std::clamp(bytes_, k_most_small, 2 * k_huge_page)));
    next_ = large_.back().data();
    left_ = large_.back().bytes();
  } else {
    account_.charge(chunk_pool::k_piece);
    try {
      small_.push_back(pool_->take());
    } catch (...) {
      account_.release(chunk_pool::k_piece);
      throw;
    }
    next_ = small_.back()->bytes.data();
    left_ = chunk_pool::k_piece;
  }
  bytes_ += left_;
}

std::byte* chunk_memory::take(std::size_t bytes) {
  const std::uint64_t whole = round_up<std::uint64_t>(bytes, k_cache_line);
  if (whole > left_) add_piece(whole);
  std::byte* const taken = next_;
  next_ += whole;
  left_ -= whole;
  return taken;
}

}  // namespace atl::regions
