// The symmetric heap of the program: chapter 9.3 of OpenSHMEM 1.5, and older names. A block has the
// same offset in the segment of each PE. All PEs must call each function of this file that
// allocates or frees a block.

#include "atoll/shmem/include/shmem/setup.h"

#include "atoll/log.hpp"
#include "atoll/shmem/api.hpp"
#include "atoll/shmem/include/shmem/deprecated.h"
#include "atoll/shmem/lifetime.hpp"
#include "atoll/shmem/world.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/transport/say.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace atl::shmem {
namespace {

/// Alignment in bytes of all arrays of the runtime.
constexpr std::size_t k_usual_alignment = 64;

/// Largest alignment in bytes that a program may request. If the address space of the process is
/// not limited, the heap of each PE begins at a multiple of `k_most_alignment`.
constexpr std::size_t k_most_alignment = transport::shm::largest_alignment;

struct block {
  std::uint64_t offset;  // offset of the runtime's array in which the block lies
  std::size_t taken;     // size of the array in bytes, including bytes for alignment
  std::size_t asked;
};

/// The allocated blocks of this PE, by address, and the total size in bytes of the arrays in which
/// the blocks lie.
struct given_blocks {
  std::map<const void*, block> blocks;
  std::size_t bytes = 0;
};

given_blocks given;

constexpr memory::collective_kind k_giving{"shmem_malloc, or another function that gives memory"};
constexpr memory::collective_kind k_freeing{
    "shmem_free, or another function that takes memory back"};

/// Allocates an array on all PEs, and returns its offset. If memory is too short, prints a message
/// and returns 0. Only PE 0 calls this function.
task<std::uint64_t> take(const char* call, std::size_t bytes) {
  const std::size_t limit = variables().symmetric_size;
  if (bytes > limit - given.bytes) {
    transport::say("{}: {} more would be beyond SHMEM_SYMMETRIC_SIZE={}, of which {} are taken",
                   call, human_bytes(bytes).c_str(), human_bytes(limit).c_str(),
                   human_bytes(given.bytes).c_str());
    co_return 0;
  }
  std::string refusal;
  try {
    co_return co_await memory::allocate_everywhere(bytes, placement::symmetric, site::current());
  } catch (const error& refused) {
    if (refused.code() != errc::out_of_memory) throw;
    refusal = refused.what();
  }
  transport::say("{}: {}", call, refusal.c_str());
  co_return 0;
}

/// A PE's request for a block, and the answer of PE 0: the offset of the array, or 0 if memory is
/// too short.
struct wanted_block {
  std::size_t bytes;
  std::size_t alignment;
  std::uint64_t offset = 0;

  std::size_t taken() const { return bytes + (alignment > k_usual_alignment ? alignment : 0); }
};

/// Allocates an array on all PEs, and returns its offset. If PEs request different sizes, ends the
/// job with an error, because the block would overlap the next block on some PEs.
task<std::uint64_t> take_everywhere(const char* call, const wanted_block& mine) {
  wanted_block of_all = mine;
  if (my_pe() == 0) of_all.offset = co_await take(call, mine.taken());
  of_all = co_await all_broadcast(of_all, 0);
  if (of_all.bytes != mine.bytes || of_all.alignment != mine.alignment)
    refuse(call,
           fmt::format("{} bytes here (alignment {}), and {} on PE 0 (alignment {}): all PEs must "
                       "ask for the same",
                       mine.bytes, mine.alignment, of_all.bytes, of_all.alignment));
  co_return of_all.offset;
}

/// Ends the job with an error if PEs free different blocks.
task<> check_given_back(const char* call, const block& mine) {
  const block of_pe_0 = co_await all_broadcast(mine, 0);
  if (of_pe_0.offset != mine.offset)
    refuse(call, fmt::format("the block of {} bytes that is given back here is another one than "
                             "the block of {} bytes on PE 0: all PEs must give back the same",
                             mine.asked, of_pe_0.asked));
}

const block& known(const char* call, const void* memory) {
  const auto found = given.blocks.find(memory);
  if (found == given.blocks.end())
    refuse(call, fmt::format("{} was not given out, or given back already", fmt::ptr(memory)));
  return found->second;
}

/// Ends the job with an error if the heap does not begin at a multiple of `alignment`, because
/// blocks would have different offsets on different PEs.
void check_alignment(const char* call, std::size_t alignment) {
  if (the_world.heap.begin % alignment != 0)
    refuse(call,
           fmt::format("alignment {}: the symmetric heap of this PE begins at {}, which is no "
                       "multiple of it (is the address space limited, ulimit -v?)",
                       alignment, fmt::ptr(reinterpret_cast<const void*>(the_world.heap.begin))));
}

/// Allocates `bytes` zeroed bytes at a multiple of `alignment`. When the call returns, all PEs have
/// the block. If memory is too short or SHMEM_SYMMETRIC_SIZE is exceeded, PE 0 prints a message and
/// all PEs get null. Returns null for 0 bytes, or if `alignment` is no power of two or too large.
void* allocate(const char* call, std::size_t bytes, std::size_t alignment) {
  check_running(call);
  if (bytes == 0) return nullptr;
  if (alignment == 0 || alignment > k_most_alignment || (alignment & (alignment - 1)) != 0)
    return nullptr;
  check_alignment(call, alignment);
  const wanted_block wanted{bytes, alignment};
  const std::size_t taken = wanted.taken();
  if (taken < bytes) return nullptr;
  std::uint64_t offset = 0;
  await(call, [&]() -> task<> {
    offset = co_await take_everywhere(call, wanted);
    co_await memory::barrier_of_all(site::current(), k_giving);
  });
  if (offset == 0) return nullptr;
  const std::uintptr_t begin = the_world.heap.begin + (offset - memory::k_symmetric);
  auto* const address = reinterpret_cast<void*>(round_up(begin, std::uintptr_t{alignment}));
  given.blocks[address] = {offset, taken, bytes};
  given.bytes += taken;
  return address;
}

/// Frees a block that `allocate` has returned. The call begins and ends with a barrier of all PEs.
/// Does nothing if `memory` is null.
void release(const char* call, void* memory) {
  check_running(call);
  if (memory == nullptr) return;
  const block gone = known(call, memory);
  given.blocks.erase(memory);
  given.bytes -= gone.taken;
  await(call, [&]() -> task<> {
    co_await memory::barrier_of_all(site::current(), k_freeing);
    co_await check_given_back(call, gone);
    if (my_pe() == 0) co_await memory::release_everywhere(gone.offset, gone.taken, site::current());
    co_await memory::barrier_of_all(site::current(), k_freeing);
  });
}

/// Returns the size in bytes that the program has requested for the block at `memory`.
std::size_t bytes_at(const char* call, const void* memory) { return known(call, memory).asked; }

constexpr std::size_t k_alignment_of_malloc = 64;

void* resize(const char* call, void* old, std::size_t bytes) {
  if (old == nullptr) return allocate(call, bytes, k_alignment_of_malloc);
  if (bytes == 0) {
    release(call, old);
    return nullptr;
  }
  void* const larger = allocate(call, bytes, k_alignment_of_malloc);
  if (larger == nullptr) return nullptr;
  std::memcpy(larger, old, std::min(bytes, bytes_at(call, old)));
  release(call, old);
  return larger;
}

}  // namespace
}  // namespace atl::shmem

using namespace atl::shmem;

ATOLL_SHMEM_DEFINE(void*, shmem_malloc, (size_t size)) {
  return allocate("shmem_malloc", size, k_alignment_of_malloc);
}

ATOLL_SHMEM_DEFINE(void*, shmem_malloc_with_hints, (size_t size, long)) {
  return allocate("shmem_malloc_with_hints", size, k_alignment_of_malloc);
}

ATOLL_SHMEM_DEFINE(void*, shmem_calloc, (size_t count, size_t size)) {
  if (size != 0 && count > SIZE_MAX / size) return nullptr;
  return allocate("shmem_calloc", count * size, k_alignment_of_malloc);
}

ATOLL_SHMEM_DEFINE(void*, shmem_align, (size_t alignment, size_t size)) {
  return allocate("shmem_align", size, alignment);
}

ATOLL_SHMEM_DEFINE(void*, shmem_realloc, (void* ptr, size_t size)) {
  return resize("shmem_realloc", ptr, size);
}

ATOLL_SHMEM_DEFINE(void, shmem_free, (void* ptr)) { release("shmem_free", ptr); }

ATOLL_SHMEM_DEFINE(void*, shmalloc, (size_t size)) { return pshmem_malloc(size); }

ATOLL_SHMEM_DEFINE(void, shfree, (void* ptr)) { pshmem_free(ptr); }

ATOLL_SHMEM_DEFINE(void*, shrealloc, (void* ptr, size_t size)) { return pshmem_realloc(ptr, size); }

ATOLL_SHMEM_DEFINE(void*, shmemalign, (size_t alignment, size_t size)) {
  return pshmem_align(alignment, size);
}
