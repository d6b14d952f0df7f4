#include "atoll/region/instance_table.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/format.hpp"
#include "atoll/base/huge_page.hpp"
#include "atoll/base/stream_line.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cerrno>
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

}  // namespace

instance_table::instance_table(pe& self) : held_(*self.account) {}

instance_table& instance_table::make_here() {
  pe& self = this_pe();
  const auto made = std::make_shared<instance_table>(self);
  self.memory->keep(made);
  self.instances = made.get();
  return *made;
}

void instance_table::release::operator()(std::byte* memory) const noexcept {
  if (bytes >= k_mapped)
    munmap(memory, bytes);
  else
    std::free(memory);
  account->release_container(bytes);
}

std::unique_ptr<std::byte, instance_table::release> instance_table::take(std::uint64_t bytes) {
  memory_account* const account = this_pe().account;
  account->charge_container(bytes);
  try {
    return {bytes >= k_mapped ? map_zeroed(bytes) : clear(bytes), release{bytes, account}};
  } catch (const std::bad_alloc&) {
    account->release_container(bytes);
    fail(errc::out_of_memory, "out of memory: the system has no {} for a region instance on PE {}",
         human_bytes(static_cast<double>(bytes)), my_pe());
  }
}

void instance_table::make(events::name instance, std::uint64_t bytes) {
  held made;
  made.own = take(round_up(std::max(bytes, k_cache_line), bytes < k_mapped ? k_cache_line : 4096));
  made.memory = made.own.get();
  held_.emplace(instance.word(), std::move(made));
}

void instance_table::admit(events::name instance, std::uint64_t offset) {
  held admitted;
  admitted.memory = this_pe().memory->local(offset);
  admitted.offset = offset;
  held_.emplace(instance.word(), std::move(admitted));
}

const instance_table::held& instance_table::find(events::name instance, site where) const {
  const auto found = held_.find(instance.word());
  if (found != held_.end()) [[likely]]
    return found->second;
  fail(errc::input,
       "{}: PE {} has no such region instance: it is not made yet, and whoever uses it waits for "
       "its event, or it has been destroyed",
       to_string(where), my_pe());
}

void instance_table::remove(events::name instance, site where) {
  find(instance, where);
  held_.erase(instance.word());
}

std::uint64_t instance_table::offset_of(events::name instance, site where) const {
  return find(instance, where).offset;
}

std::byte* instance_table::memory_of(events::name instance, int pe, site where) const {
  const held& found = find(instance, where);
  if (found.failure) std::rethrow_exception(found.failure);
  if (pe == my_pe()) return found.memory;
  return this_pe().transport->segment(pe) + (found.offset - memory::k_symmetric);
}

void instance_table::poison(events::name instance, const std::exception_ptr& failure) {
  const auto found = held_.find(instance.word());
  if (found != held_.end() && !found->second.failure) found->second.failure = failure;
}

}  // namespace atl::regions
