#include "atoll/shmem/symmetric_heap.hpp"

#include "atoll/log.hpp"
#include "atoll/shmem/environment.hpp"
#include "atoll/shmem/world.hpp"
#include "atoll/symmetric_collectives.hpp"
#include "atoll/transport/say.hpp"
#include "atoll/transport/shm/mapping.hpp"

#include <fmt/format.h>
#include <map>

namespace atl::shmem {
namespace {

/// Arrays of the runtime begin at these.
constexpr std::size_t k_usual_alignment = 64;

/// The heap of each PE begins at a multiple of this, unless the address space is limited.
constexpr std::size_t k_most_alignment = transport::shm::largest_alignment;

struct block {
  std::uint64_t offset;  // of the array it lies in
  std::size_t taken;     // bytes of that
  std::size_t asked;
};

/// What this PE has given out, by address, and how much that is.
struct given_blocks {
  std::map<const void*, block> blocks;
  std::size_t bytes = 0;
};

given_blocks given;

constexpr memory::collective_kind k_giving{"shmem_malloc, or another function that gives memory"};
constexpr memory::collective_kind k_freeing{
    "shmem_free, or another function that takes memory back"};

/// On PE 0, which speaks for all: an offset, or 0.
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

/// What a PE asks for, and what it gets: an offset, or 0.
struct wanted_block {
  std::size_t bytes;
  std::size_t alignment;
  std::uint64_t offset = 0;

  std::size_t taken() const { return bytes + (alignment > k_usual_alignment ? alignment : 0); }
};

/// Blocks of two sizes at one place would overlap with the next one on some PEs.
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

/// All PEs give the same block back.
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

/// Else the block would not lie at the same distance on all PEs.
void check_alignment(const char* call, std::size_t alignment) {
  if (the_world.heap.begin % alignment != 0)
    refuse(call,
           fmt::format("alignment {}: the symmetric heap of this PE begins at {}, which is no "
                       "multiple of it (is the address space limited, ulimit -v?)",
                       alignment, fmt::ptr(reinterpret_cast<const void*>(the_world.heap.begin))));
}

}  // namespace

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

std::size_t bytes_at(const char* call, const void* memory) { return known(call, memory).asked; }

}  // namespace atl::shmem
