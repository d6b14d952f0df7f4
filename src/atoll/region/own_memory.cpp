#include "atoll/region/own_memory.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/memory_account.hpp"
#include "atoll/base/pages_and_lines.hpp"
#include "atoll/base/stream_line.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/pe.hpp"
#include "atoll/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace atl::regions {
namespace {

// From here on memory comes zeroed from the system, in huge pages if possible.
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

}  // namespace atl::regions
