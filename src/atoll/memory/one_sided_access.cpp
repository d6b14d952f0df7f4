#include "atoll/memory/one_sided_access.hpp"

#include "atoll/base/stream_line.hpp"
#include "atoll/error.hpp"
#include "atoll/one_sided.hpp"

#include <fmt/format.h>

namespace atl::memory {
namespace {

// A copy of at least this many bytes bypasses the caches. A smaller copy stays in the caches, where
// the next reader or writer finds the data.
constexpr std::size_t k_smallest_streamed = std::size_t{8} << 20;

}  // namespace

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  const bool overlap = to < from + bytes && from < to + bytes;
  if (bytes < k_smallest_streamed || overlap) {
    std::memmove(to, from, bytes);
    return;
  }
  stream_bytes(to, from, bytes);
  stream_fence();
}

void refuse_one_sided(const char* call, int pe, std::uint64_t offset, std::uint64_t bytes,
                      site where) {
  const atl::pe& self = this_pe();
  const std::string place = to_string(where);
  if (pe == -1) fail(errc::input, "{}: {}: a null global_address was used", place, call);
  if (pe < 0 || pe >= self.size)
    fail(errc::input, "{}: {}: PE {} does not exist; there are {} PEs", place, call, pe, self.size);
  if (offset < k_symmetric) {
    fail(errc::input, "{}: {}: the address, offset {} of PE {}, is not in symmetric memory", place,
         call, offset, pe);
  }
  const heap::range nearest = self.memory->array_at(offset);
  if (nearest.begin < k_symmetric || !nearest.covers(offset, 0)) {
    fail(errc::input, "{}: {}: no symmetric array lies at offset {} of PE {}", place, call,
         offset - k_symmetric, pe);
  }
  fail(errc::input,
       "{}: {}: {} bytes at offset {} of PE {} reach beyond their array, which has {} bytes from "
       "offset {} on",
       place, call, bytes, offset - k_symmetric, pe, nearest.bytes, nearest.begin - k_symmetric);
}

void refuse_misaligned(const char* call, std::uint64_t offset, std::uint64_t bytes, site where) {
  fail(errc::input, "{}: {}: a word of {} bytes cannot be at offset {}, which is no multiple of it",
       to_string(where), call, bytes, offset % k_symmetric);
}

void refuse_signal(const char* call, int data_pe, int signal_pe, site where) {
  fail(errc::input, "{}: {}: the signal is of PE {}, and the data goes to PE {}", to_string(where),
       call, signal_pe, data_pe);
}

void refuse_own(const char* call, const void* at, std::uint64_t bytes, site where) {
  const atl::pe& self = this_pe();
  const auto within = reinterpret_cast<std::uintptr_t>(at) -
                      reinterpret_cast<std::uintptr_t>(self.transport->segment(self.rank));
  if (within < self.transport->segment_bytes())
    refuse_one_sided(call, self.rank, k_symmetric + within, bytes, where);
  fail(errc::input, "{}: {}: the address {} is not in symmetric memory of PE {}", to_string(where),
       call, fmt::ptr(at), self.rank);
}

}  // namespace atl::memory
