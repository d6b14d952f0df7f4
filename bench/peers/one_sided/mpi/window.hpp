#pragma once
// One-sided operations of MPI, with the interface `wire` that transfers.hpp describes. All
// processes keep a shared lock on the window during the whole program. Puts and gets are complete
// after a flush.

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "peers/one_sided/library.hpp"

namespace bench::one_sided {

class mpi_window {
 public:
  mpi_window(const library& all, std::size_t bytes)
      : is_crowded_(all.size() > static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN))) {
    MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                     static_cast<void*>(&area_), &window_);
    MPI_Win_lock_all(0, window_);
  }
  ~mpi_window() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  mpi_window(const mpi_window&) = delete;
  mpi_window& operator=(const mpi_window&) = delete;

  std::byte* area() const { return area_; }

  void start_put(const std::byte* from, std::size_t offset, std::size_t bytes, std::size_t pe) {
    const auto count = static_cast<int>(bytes);
    MPI_Put(from, count, MPI_BYTE, static_cast<int>(pe), static_cast<MPI_Aint>(offset), count,
            MPI_BYTE, window_);
  }
  void start_get(std::byte* to, std::size_t offset, std::size_t bytes, std::size_t pe) {
    const auto count = static_cast<int>(bytes);
    MPI_Get(to, count, MPI_BYTE, static_cast<int>(pe), static_cast<MPI_Aint>(offset), count,
            MPI_BYTE, window_);
  }
  void complete(std::size_t pe) { MPI_Win_flush(static_cast<int>(pe), window_); }
  void put(const std::byte* from, std::size_t offset, std::size_t bytes, std::size_t pe) {
    start_put(from, offset, bytes, pe);
    complete(pe);
  }
  void get(std::byte* to, std::size_t offset, std::size_t bytes, std::size_t pe) {
    start_get(to, offset, bytes, pe);
    complete(pe);
  }

  std::int64_t add(std::size_t pe) {
    const std::int64_t one = 1;
    std::int64_t old = 0;
    MPI_Fetch_and_op(&one, &old, MPI_INT64_T, static_cast<int>(pe), 0, MPI_SUM, window_);
    complete(pe);
    return old;
  }

  /// Sets the word after all earlier puts are complete. The function flushes before and after the
  /// put, because MPI does not order puts.
  void put_word(std::int64_t value, std::size_t pe) {
    complete(pe);
    put(reinterpret_cast<const std::byte*>(&value), 0, sizeof value, pe);
  }
  std::int64_t wait_word(std::int64_t old) {
    for (unsigned polls = 1;; ++polls) {
      const auto value = read_word();
      if (value != old) return value;
      if (polls % polls_between_progress == 0) make_progress();
    }
  }
  std::int64_t word() {
    make_progress();
    return read_word();
  }
  void synchronise() { MPI_Win_sync(window_); }

 private:
  /// Calls the library so that puts to this process can arrive. Without shared memory, puts may
  /// arrive only during calls of the library, and MPI_Win_sync need not make progress.
  void make_progress() {
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    if (is_crowded_) std::this_thread::yield();
  }
  std::int64_t read_word() {
    synchronise();
    return std::atomic_ref(*reinterpret_cast<std::int64_t*>(area_)).load();
  }

  static constexpr unsigned polls_between_progress = 32;
  bool is_crowded_;
  std::byte* area_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace bench::one_sided
