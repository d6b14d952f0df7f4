#include "atoll/memory/heap.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/memory_account.hpp"
#include "atoll/base/pages_and_lines.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"
#include "atoll/memory/symmetric_team.hpp"
#include "atoll/message/engine.hpp"
#include "atoll/observe/counters.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

namespace atl::memory {
namespace {

// Small allocations are made in a part of the memory that has pages of the usual size (4 KiB). The
// kernel clears a whole huge page (2 MiB) when the page is first touched. If a PE has little data,
// clearing a huge page would dominate the run time.
constexpr std::uint64_t k_part_of_small_ones = k_huge_page;

/// Maximum size in bytes of the freed blocks that all PEs of the job together keep for reuse.
constexpr std::uint64_t k_most_kept = std::uint64_t{128} << 20;

/// A PE uses huge pages only if its share of the machine's memory has at least this many bytes. A
/// process needs separate mappings for memory with huge pages and for memory without huge pages.
/// The kernel limits the number of mappings (vm.max_map_count), and thousands of PEs in one process
/// would exceed the limit.
constexpr std::uint64_t k_worth_huge_pages = 4 * k_huge_page;

/// Returns the number of PEs in the process of this PE, including this PE.
std::uint64_t pes_beside(const pe& self, const settings& options) {
  const bool are_there =
      options.transport == transport_kind::sim || options.pe_kind == pe_kind::thread;
  return are_there ? static_cast<std::uint64_t>(self.size) : 1;
}

/// Returns the offset in a segment at which the memory for symmetric arrays ends. The first half of
/// a segment is for symmetric arrays, and the second half is for blocks (mapped_block.hpp).
std::uint64_t arrays_end(const pe& self) {
  return self.transport->segment_bytes() / 2 / k_huge_page * k_huge_page;
}

}  // namespace

heap::heap(pe& self, const settings& options, const memory_status& memory)
    : self_(self),
      huge_pages_(options.huge_pages &&
                  memory.machine_total / pes_beside(self, options) >= k_worth_huge_pages),
      part_bytes_(k_part_of_small_ones +
                  self.transport->private_bytes() / k_huge_page * k_huge_page),
      owner_only_(0, part_bytes_, k_part_of_small_ones),
      symmetric_(k_symmetric + k_collective_bytes, k_symmetric + arrays_end(self)) {
  const auto machines = static_cast<std::uint64_t>(self.transport->machines());
  limit_ = options.memory_limit != 0 ? options.memory_limit : memory.free() * machines;
  const bool is_set = options.memory_limit != 0 && options.origin("memory-limit") != "machine";
  limit_source_ = is_set               ? "the setting memory-limit"
                  : memory.group_limit ? memory.group
                                       : "/proc/meminfo";
  reserve();
  const auto most_kept = std::min(k_most_kept, limit_ / 8) / static_cast<std::uint64_t>(self.size);
  blocks_ =
      std::make_shared<block_space>(self.transport->segment(self.rank), arrays_end(self),
                                    self.transport->segment_bytes(), most_kept, *self.account);
}

heap::~heap() {
  objects_.clear();
  blocks_->close();
  if (reservation_ != nullptr) munmap(reservation_, reservation_bytes_);
}

void heap::reserve() {
  reservation_bytes_ = part_bytes_ + k_huge_page;
  void* memory = mmap(nullptr, reservation_bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fail(errc::environment, "cannot reserve {} of address space for the global memory: {}",
         human_bytes(reservation_bytes_), refusal_text(errno, refused::memory));
  }
  reservation_ = static_cast<std::byte*>(memory);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  auto* const base = reinterpret_cast<std::byte*>(round_up(address, k_huge_page));
  if (huge_pages_) {
    madvise(base, part_bytes_, MADV_HUGEPAGE);
    madvise(base, k_part_of_small_ones, MADV_NOHUGEPAGE);
  } else {
    madvise(memory, reservation_bytes_, MADV_NOHUGEPAGE);
  }
  bases_[0] = base;
  bases_[1] = self_.transport->segment(self_.rank) - k_symmetric;
}

void heap::check_limit(std::uint64_t bytes) const {
  const auto pes = static_cast<std::uint64_t>(self_.size);
  const std::uint64_t most_a_pe = limit_ / pes;
  const std::uint64_t held = self_.account->held();
  if (bytes <= most_a_pe && held <= most_a_pe - bytes) return;
  fail(errc::out_of_memory,
       "out of memory: a global array needs {} on each of {} PEs; the job may use {} in all "
       "(--memory-limit, now from {}), an equal share for each, of which PE 0 holds {}",
       human_bytes(bytes), pes, human_bytes(limit_), limit_source_, human_bytes(held));
}

/// Tells the other PEs to charge an array of `bytes` bytes to their memory accounts. Arrays and
/// tasks of a PE share one memory limit.
void heap::tell_others_of(std::uint64_t bytes) {
  const auto count = [bytes] { this_pe().account->add_array(bytes); };
  for (int pe = 1; pe < self_.size; ++pe)
    self_.messages->send<message::traffic::control>(pe, count, site::current());
}

std::uint64_t heap::allocate(std::uint64_t bytes, placement where, std::uint64_t charged) {
  if (charged == 0) charged = bytes;
  check_limit(charged);
  const auto offset = (where == placement::owner_only ? owner_only_ : symmetric_).allocate(bytes);
  if (!offset) {
    fail(errc::out_of_memory, "out of memory: no gap of {} is left in the address space of a PE{}",
         human_bytes(bytes), memory_limits_text());
  }
  has_given_symmetric_ |= where == placement::symmetric;
  tell_others_of(charged);
  self_.account->add_array(charged);
  return *offset;
}

void heap::release(std::uint64_t offset) {
  (offset < k_symmetric ? owner_only_ : symmetric_).release(offset);
}

void heap::admit(std::uint64_t offset, std::uint64_t bytes, std::uint64_t serial) {
  arrays_[offset] = {bytes, serial};
  transport::remote_memory* const far = self_.transport->far_memory();
  if (offset >= k_symmetric && far != nullptr) far->open();
  hold(bytes);
}

void heap::hold(std::uint64_t bytes) {
  held_bytes_ += bytes;
  auto& peak = self_.counters->global_bytes_peak;
  peak = std::max<std::uint64_t>(peak, held_bytes_);
}

heap::range heap::array_at(std::uint64_t offset) const {
  const auto behind = arrays_.upper_bound(offset);
  if (behind == arrays_.begin()) return {};
  const auto& [begin, array] = *std::prev(behind);
  return {begin, array.bytes};
}

bool heap::has_array(std::uint64_t offset, std::uint64_t bytes) const {
  const auto array = arrays_.find(offset);
  return array != arrays_.end() && array->second.bytes == bytes;
}

std::uint64_t heap::serial_at(std::uint64_t offset) const {
  const auto array = arrays_.find(offset);
  return array == arrays_.end() ? 0 : array->second.serial;
}

bool heap::found(std::uint64_t offset, std::uint64_t serial) const {
  if (serial_at(offset) != serial) return false;
  living_[serial % living_.size()] = serial;
  return true;
}

bool heap::looks_up(std::uint64_t offset, std::uint64_t bytes) const {
  const auto covers = [=](const range& each) { return each.covers(offset, bytes); };
  if (std::ranges::any_of(recent_, covers)) return true;
  const range found = array_at(offset);
  if (!found.covers(offset, bytes)) return false;
  std::ranges::rotate(recent_, recent_.end() - 1);
  recent_[0] = found;
  return true;
}

void heap::discard(std::uint64_t offset, std::uint64_t bytes, std::uint64_t charged) {
  if (arrays_.erase(offset) != 0) let_go(bytes);
  recent_ = {};
  living_ = {};
  self_.account->release_array(charged != 0 ? charged : bytes);
  std::byte* const begin = local(offset);
  std::byte* const end = begin + bytes;
  const auto pages_begin = round_up(reinterpret_cast<std::uintptr_t>(begin), k_page);
  const auto pages_end = reinterpret_cast<std::uintptr_t>(end) / k_page * k_page;
  if (pages_begin >= pages_end) {
    std::memset(begin, 0, bytes);
    return;
  }
  auto* const first_page = reinterpret_cast<std::byte*>(pages_begin);
  auto* const last_page = reinterpret_cast<std::byte*>(pages_end);
  std::memset(begin, 0, static_cast<std::size_t>(first_page - begin));
  std::memset(last_page, 0, static_cast<std::size_t>(end - last_page));
  const bool shared = offset >= k_symmetric;
  if (madvise(first_page, pages_end - pages_begin, shared ? MADV_REMOVE : MADV_DONTNEED) != 0) {
    std::memset(first_page, 0, pages_end - pages_begin);
  }
}

}  // namespace atl::memory
