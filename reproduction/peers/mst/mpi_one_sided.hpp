#pragma once
// The memory of one_sided_lists.hpp over MPI. All processes keep one MPI window locked for shared
// access.

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <span>
#include <thread>

#include "reproduction/peers/mst/mpi_basis.hpp"
#include "reproduction/peers/mst/one_sided_lists.hpp"

namespace bench::mst {

/// The words, the buffer and the window of one process. All processes must make and destroy the
/// object at the same time, because constructor and destructor are collective.
class mpi_memory : public mpi_basis {
 public:
  explicit mpi_memory(std::size_t bytes)
      : bytes_(bytes), is_crowded_(pes() > static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))) {
    const std::size_t words = k_announced + static_cast<std::size_t>(pes());
    buffer_ = (words * sizeof(std::uint64_t) + k_line - 1) / k_line * k_line;
    MPI_Win_allocate(static_cast<MPI_Aint>(buffer_ + 2 * bytes_), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                     static_cast<void*>(&area_), &window_);
    std::fill_n(area_, buffer_, std::byte{0});
    MPI_Win_lock_all(0, window_);
    publish();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~mpi_memory() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  mpi_memory(const mpi_memory&) = delete;
  mpi_memory& operator=(const mpi_memory&) = delete;

  std::size_t bytes() const { return bytes_; }
  std::byte* buffer() const { return area_ + buffer_; }
  std::byte* window() const { return buffer() + bytes_; }

  void publish() { MPI_Win_sync(window_); }

  void put_word(std::size_t word, int pe, std::uint64_t value) {
    MPI_Accumulate(&value, 1, MPI_UINT64_T, pe, offset_of(word), 1, MPI_UINT64_T, MPI_REPLACE,
                   window_);
    MPI_Win_flush(pe, window_);
  }

  void add(std::size_t word, int pe, std::uint64_t value) {
    std::uint64_t old = 0;
    MPI_Fetch_and_op(&value, &old, MPI_UINT64_T, pe, offset_of(word), MPI_SUM, window_);
    MPI_Win_flush(pe, window_);
  }

  std::uint64_t wait(std::size_t word, std::uint64_t least) {
    for (unsigned polls = 1;; ++polls) {
      MPI_Win_sync(window_);
      const std::uint64_t value = read(word);
      if (value >= least) return value;
      if (polls % k_polls_between_progress == 0) make_progress();
    }
  }

  void begin_get(std::span<std::byte> to, int pe, std::size_t offset) {
    const auto count = static_cast<int>(to.size());
    MPI_Get(to.data(), count, MPI_BYTE, pe, static_cast<MPI_Aint>(buffer_ + offset), count,
            MPI_BYTE, window_);
  }

  void put(int pe, std::size_t offset, std::span<const std::byte> from) {
    const auto count = static_cast<int>(from.size());
    MPI_Put(from.data(), count, MPI_BYTE, pe, static_cast<MPI_Aint>(buffer_ + bytes_ + offset),
            count, MPI_BYTE, window_);
  }

  void complete(int pe) { MPI_Win_flush(pe, window_); }

 private:
  static constexpr std::size_t k_line = 64;
  static constexpr unsigned k_polls_between_progress = 32;

  static MPI_Aint offset_of(std::size_t word) {
    return static_cast<MPI_Aint>(word * sizeof(std::uint64_t));
  }
  std::uint64_t read(std::size_t word) const {
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(area_)[word]).load();
  }

  /// Calls MPI so that accesses of other processes take effect. Between nodes, an access may take
  /// effect only while the target is in a call of MPI that makes progress. The standard does not
  /// require `MPI_Win_sync` to make progress.
  void make_progress() const {
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    if (is_crowded_) std::this_thread::yield();
  }

  const std::size_t bytes_;
  const bool is_crowded_;
  std::size_t buffer_ = 0;  ///< offset of the buffer in `area_`
  std::byte* area_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

using mpi_one_sided = one_sided_lists<mpi_memory>;

}  // namespace bench::mst
