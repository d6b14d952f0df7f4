#pragma once
// The base class of an exchange over OpenSHMEM, with barriers, sums and maxima of all processes.

#include "atoll/kernels/mst/lists.hpp"

#include <shmem.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <vector>

#include "reproduction/peers/mst/immediate.hpp"

namespace bench::mst {

/// Allocates symmetric memory for `items` items. All processes must call this function.
template <class Item>
Item* symmetric(std::size_t items) {
  auto* const made = static_cast<Item*>(shmem_malloc(items * sizeof(Item)));
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

class shmem_basis : public blocking_basis {
 public:
  shmem_basis() {
    for (auto& set : sync_) {
      set = symmetric<long>(SHMEM_REDUCE_SYNC_SIZE);
      std::fill_n(set, SHMEM_REDUCE_SYNC_SIZE, SHMEM_SYNC_VALUE);
    }
    from_ = symmetric<long long>(k_piece);
    to_ = symmetric<long long>(k_piece);
    work_ = symmetric<long long>(k_piece + SHMEM_REDUCE_MIN_WRKDATA_SIZE);
    largest_ = symmetric<double>(2);
    largest_work_ = symmetric<double>(1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE);
    shmem_barrier_all();
  }
  ~shmem_basis() {
    shmem_barrier_all();
    for (void* const each :
         {static_cast<void*>(largest_work_), static_cast<void*>(largest_),
          static_cast<void*>(work_), static_cast<void*>(to_), static_cast<void*>(from_)})
      shmem_free(each);
    for (long* const set : sync_) shmem_free(set);
  }
  shmem_basis(const shmem_basis&) = delete;
  shmem_basis& operator=(const shmem_basis&) = delete;

  static int pe() { return shmem_my_pe(); }
  static int pes() { return shmem_n_pes(); }

  /// All processes must call the next functions, except `charge`.
  static immediate<> barrier() {
    shmem_barrier_all();
    co_return;
  }
  immediate<double> maximum(double value) {
    largest_[0] = value;
    shmem_barrier_all();
    shmem_double_max_to_all(largest_ + 1, largest_, 1, 0, 0, pes(), largest_work_, next_sync());
    const double found = largest_[1];
    shmem_barrier_all();
    co_return found;
  }
  /// Does nothing. In Atoll, this function charges work to the simulated time, but this program is
  /// not simulated.
  static void charge(atl::kernels::mst::work_kind, std::uint64_t) {}

  immediate<std::uint64_t> sum(std::uint64_t value) {
    add_up(&value, 1);
    co_return value;
  }
  immediate<std::vector<std::uint64_t>> sum(std::vector<std::uint64_t> values) {
    for (std::size_t first = 0; first < values.size(); first += k_piece)
      add_up(values.data() + first, std::min(k_piece, values.size() - first));
    co_return values;
  }

 private:
  static constexpr std::size_t k_piece = 1 << 15;

  /// Returns one of two work arrays, which alternate. Two arrays are enough: when a process begins
  /// a reduction, all processes have completed the reduction before the previous one.
  long* next_sync() { return sync_[turn_ ^= 1]; }

  /// Replaces `values` by their sums over all processes. The barriers keep a process from changing
  /// symmetric memory that another process still reads.
  void add_up(std::uint64_t* values, std::size_t count) {
    std::copy_n(values, count, from_);
    shmem_barrier_all();
    shmem_longlong_sum_to_all(to_, from_, static_cast<int>(count), 0, 0, pes(), work_, next_sync());
    std::copy_n(to_, count, values);
    shmem_barrier_all();
  }

  std::array<long*, 2> sync_{};
  std::size_t turn_ = 0;
  long long* from_;
  long long* to_;
  long long* work_;
  double* largest_;
  double* largest_work_;
};

}  // namespace bench::mst
