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

task<std::uint64_t> take_everywhere(const char* call, std::size_t bytes) {
  std::uint64_t offset = 0;
  if (my_pe() == 0) offset = co_await take(call, bytes);
  offset = co_await all_broadcast(offset, 0);
  co_return offset;
}

task<> check_equal(const char* call, std::size_t bytes) {
  const auto of_pe_0 = co_await all_broadcast(bytes, 0);
  if (of_pe_0 != bytes)
    refuse(call, fmt::format("{} bytes here, and {} on PE 0: all PEs must ask for the same", bytes,
                             of_pe_0));
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
  const std::size_t taken = bytes + (alignment > k_usual_alignment ? alignment : 0);
  if (taken < bytes) return nullptr;
  std::uint64_t offset = 0;
  await(call, [&]() -> task<> {
    if (k_checks_all) co_await check_equal(call, bytes);
    offset = co_await take_everywhere(call, taken);
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
    if (my_pe() == 0) co_await memory::release_everywhere(gone.offset, gone.taken, site::current());
    co_await memory::barrier_of_all(site::current(), k_freeing);
  });
}

std::size_t bytes_at(const char* call, const void* memory) { return known(call, memory).asked; }

}  // namespace atl::shmem
