#include "peers/one_sided/openshmem/session.hpp"

#include <shmem.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace bench::one_sided {
namespace {

constexpr std::size_t page = 4096;
constexpr auto words_of_set = static_cast<std::size_t>(
    std::max({SHMEM_REDUCE_SYNC_SIZE, SHMEM_BCAST_SYNC_SIZE, SHMEM_ALLTOALL_SYNC_SIZE}));

bool has_longs(std::size_t bytes) { return bytes % sizeof(long) == 0; }

}  // namespace

openshmem_session::openshmem_session(std::size_t heap_bytes) {
  const auto text = std::to_string(heap_bytes);
  setenv("SHMEM_SYMMETRIC_SIZE", text.c_str(), 0);
  setenv("SMA_SYMMETRIC_SIZE", text.c_str(), 0);  // name of the variable that Open MPI reads
  shmem_init();
  allocate(reductions_);
  allocate(exchanges_);
  allocate(broadcasts_);
  maxima_ = reinterpret_cast<double*>(memory(2 * sizeof(double)));
  scratch(page);
  barrier();
}

openshmem_session::~openshmem_session() { shmem_finalize(); }

template <std::size_t Sets>
void openshmem_session::allocate(turns<Sets>& turns) {
  for (auto& set : turns.sets) {
    set = reinterpret_cast<long*>(memory(words_of_set * sizeof(long)));
    std::fill_n(set, words_of_set, SHMEM_SYNC_VALUE);
  }
}

std::string openshmem_session::name() const {
  int major = 0, minor = 0;
  shmem_info_get_version(&major, &minor);
  char vendor[SHMEM_MAX_NAME_LEN];
  shmem_info_get_name(vendor);
  return "OpenSHMEM " + std::to_string(major) + "." + std::to_string(minor) + " of " + vendor;
}

std::size_t openshmem_session::rank() const { return static_cast<std::size_t>(shmem_my_pe()); }
std::size_t openshmem_session::size() const { return static_cast<std::size_t>(shmem_n_pes()); }

void openshmem_session::barrier() { shmem_barrier_all(); }

std::byte* openshmem_session::memory(std::size_t bytes) {
  auto* data = static_cast<std::byte*>(shmem_align(page, (bytes + page - 1) / page * page));
  if (data == nullptr) throw std::runtime_error("the symmetric heap is too small");
  std::fill_n(data, bytes, std::byte{0});
  barrier();
  return data;
}

std::byte* openshmem_session::scratch(std::size_t bytes) {
  if (scratch_bytes_ < bytes) {
    for (auto& block : scratch_) block = memory(bytes);
    scratch_bytes_ = bytes;
  }
  return scratch_[reductions_.last];
}

double openshmem_session::maximum(double value) {
  auto* set = reductions_.next();
  auto* work = reinterpret_cast<double*>(scratch(page));
  maxima_[0] = value;
  shmem_double_max_to_all(maxima_ + 1, maxima_, 1, 0, 0, shmem_n_pes(), work, set);
  return maxima_[1];
}

// Broadcasts and exchanges support only words of 4 and 8 bytes.
std::size_t openshmem_session::whole(std::size_t bytes) const { return (bytes + 3) / 4 * 4; }

void openshmem_session::broadcast(const std::byte* from, std::byte* to, std::size_t bytes) {
  auto* set = broadcasts_.next();
  if (has_longs(bytes)) {
    shmem_broadcast64(to, from, bytes / 8, 0, 0, 0, shmem_n_pes(), set);
  } else {
    shmem_broadcast32(to, from, whole(bytes) / 4, 0, 0, 0, shmem_n_pes(), set);
  }
}

void openshmem_session::exchange(const std::byte* from, std::byte* to, std::size_t bytes) {
  auto* set = exchanges_.next();
  if (has_longs(bytes)) {
    shmem_alltoall64(to, from, bytes / 8, 0, 0, shmem_n_pes(), set);
  } else {
    shmem_alltoall32(to, from, whole(bytes) / 4, 0, 0, shmem_n_pes(), set);
  }
}

void openshmem_session::sum_everywhere(const std::byte* from, std::byte* to, std::size_t bytes) {
  auto* set = reductions_.next();
  auto* work = scratch(bytes + page);
  const auto sum = [&]<class Number>(auto reduce, Number*) {
    reduce(reinterpret_cast<Number*>(to), reinterpret_cast<const Number*>(from),
           static_cast<int>(bytes / sizeof(Number)), 0, 0, shmem_n_pes(),
           reinterpret_cast<Number*>(work), set);
  };
  if (bytes >= sizeof(double)) return sum(shmem_double_sum_to_all, static_cast<double*>(nullptr));
  sum(shmem_short_sum_to_all, static_cast<short*>(nullptr));
}

// OpenSHMEM has no reduction to one process. Each process puts its part to process 0, which adds
// the parts one after another.
void openshmem_session::sum_at_first(const std::byte* from, std::byte* to, std::size_t bytes) {
  if (parts_ == nullptr) {
    parts_ = memory(bytes * size());
    arrived_ = reinterpret_cast<long*>(memory(size() * sizeof(long)));
    taken_ = reinterpret_cast<long*>(memory(sizeof(long)));
  }
  ++sum_;
  if (shmem_my_pe() != 0) return send_part(from, bytes);
  std::memcpy(to, from, bytes);
  add_parts(to, bytes);
}

void openshmem_session::send_part(const std::byte* from, std::size_t bytes) {
  const auto me = static_cast<std::size_t>(shmem_my_pe());
  shmem_long_wait_until(taken_, SHMEM_CMP_GE, sum_ - 1);
  shmem_putmem(parts_ + me * bytes, from, bytes, 0);
  shmem_fence();
  shmem_long_p(arrived_ + me, sum_, 0);
}

void openshmem_session::add_parts(std::byte* to, std::size_t bytes) {
  const auto add = [bytes]<class Number>(Number* sums, const Number* parts) {
    for (std::size_t i = 0; i < bytes / sizeof(Number); ++i)
      sums[i] = static_cast<Number>(sums[i] + parts[i]);
  };
  for (std::size_t pe = 1; pe < size(); ++pe) {
    auto* part = parts_ + pe * bytes;
    shmem_long_wait_until(arrived_ + pe, SHMEM_CMP_GE, sum_);
    if (bytes >= sizeof(double)) {
      add(reinterpret_cast<double*>(to), reinterpret_cast<const double*>(part));
    } else {
      add(reinterpret_cast<std::uint8_t*>(to), reinterpret_cast<const std::uint8_t*>(part));
    }
    shmem_long_p(taken_, sum_, static_cast<int>(pe));
  }
}

}  // namespace bench::one_sided
