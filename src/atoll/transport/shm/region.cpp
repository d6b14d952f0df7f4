#include "atoll/transport/shm/region.hpp"

#include "atoll/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace atoll::transport::shm {
namespace {

constexpr std::size_t page_size = 4096;
constexpr std::size_t usual_slots = 16;
constexpr std::size_t fewest_slots = 2;
constexpr std::size_t memory_of_all_rings = std::size_t{256} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

std::size_t slots_per_pair(int pes, const settings& settings, std::size_t stride) {
  if (settings.buffers_per_pair != 0) return settings.buffers_per_pair;
  const std::size_t pairs = static_cast<std::size_t>(pes) * static_cast<std::size_t>(pes);
  return std::clamp(memory_of_all_rings / (pairs * stride), fewest_slots, usual_slots);
}

[[noreturn]] void refuse(const char* step, std::size_t bytes, int pes) {
  const int reason = errno;
  fail(errc::environment,
       "{} of {} MiB of shared memory for {} PEs failed: {}; fewer --pes, or less --buffer-size or "
       "--buffers-per-pair, need less",
       step, bytes >> 20, pes, std::strerror(reason));
}

std::byte* map_shared(std::size_t bytes, int pes) {
  const int descriptor = memfd_create("atoll", MFD_CLOEXEC);
  if (descriptor < 0) refuse("creation", bytes, pes);
  if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
    close(descriptor);
    refuse("sizing", bytes, pes);
  }
  void* const base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                          descriptor, 0);
  const int reason = errno;
  close(descriptor);
  errno = reason;
  if (base == MAP_FAILED) refuse("mapping", bytes, pes);
  return static_cast<std::byte*>(base);
}

}  // namespace

region::region(int pes, const settings& settings)
    : pes_(pes),
      buffer_capacity_(static_cast<std::uint32_t>(round_up(settings.buffer_size, line_size))),
      slots_(slots_per_pair(pes, settings, slot_stride())) {
  const auto count = static_cast<std::size_t>(pes);
  bytes_ = rings_offset() + round_up(count * count * slots_ * slot_stride(), page_size);
  base_ = map_shared(bytes_, pes);
  new (base_) job_header;
  for (int pe = 0; pe < pes; ++pe) new (&block(pe)) pe_block;
  // Slots stay untouched: the zeros of a fresh page are an empty slot.
}

region::~region() { munmap(base_, bytes_); }

std::size_t region::rings_offset() const noexcept {
  return round_up(sizeof(job_header) + static_cast<std::size_t>(pes_) * sizeof(pe_block), page_size);
}

ring_cursor region::ring(int source, int destination) noexcept {
  const auto pair = static_cast<std::size_t>(destination) * static_cast<std::size_t>(pes_) +
                    static_cast<std::size_t>(source);
  return {base_ + rings_offset() + pair * slots_ * slot_stride(), slot_stride(), slots_};
}

bool region::end(int exit_status) noexcept {
  std::uint32_t running = 0;
  const bool first = header().ended.compare_exchange_strong(
      running, 1 + static_cast<std::uint32_t>(exit_status), std::memory_order_seq_cst);
  for (int pe = 0; pe < pes_; ++pe) block(pe).bell.ring();
  return first;
}

}  // namespace atoll::transport::shm
