#pragma once
// Represents this process in a job of OpenSHMEM 1.4.

#include <array>
#include <cstddef>
#include <vector>

#include "peers/one_sided/library.hpp"

namespace bench::one_sided {

class openshmem_session : public library {
 public:
  /// Makes a symmetric heap of at least `heap_bytes` bytes. If the environment sets a size of the
  /// heap, `heap_bytes` is ignored.
  explicit openshmem_session(std::size_t heap_bytes);
  ~openshmem_session() override;
  openshmem_session(const openshmem_session&) = delete;
  openshmem_session& operator=(const openshmem_session&) = delete;

  std::string name() const override;
  std::size_t rank() const override;
  std::size_t size() const override;

  void barrier() override;
  double maximum(double value) override;
  std::byte* memory(std::size_t bytes) override;
  std::size_t whole(std::size_t bytes) const override;

  void broadcast(const std::byte* from, std::byte* to, std::size_t bytes) override;
  void sum_everywhere(const std::byte* from, std::byte* to, std::size_t bytes) override;
  void sum_at_first(const std::byte* from, std::byte* to, std::size_t bytes) override;
  void exchange(const std::byte* from, std::byte* to, std::size_t bytes) override;

 private:
  /// Sets of synchronization words, which collective operations use in turn. A set of words may be
  /// reused when no process is still in the operation that used the set. When an all-to-all
  /// operation returns, no process is still in the previous operation. When a broadcast returns, a
  /// process may still be in the previous operation, until the next barrier. Barriers are frequent
  /// enough: between two uses of a set, there is always a barrier.
  template <std::size_t Sets>
  struct turns {
    std::array<long*, Sets> sets;
    std::size_t last = 0;
    long* next() { return sets[last = (last + 1) % Sets]; }
  };

  template <std::size_t Sets>
  void allocate(turns<Sets>& turns);
  /// Returns scratch memory for a reduction of `bytes` bytes. All processes call this function.
  std::byte* scratch(std::size_t bytes);
  void send_part(const std::byte* from, std::size_t bytes);
  void add_parts(std::byte* to, std::size_t bytes);

  turns<2> reductions_, exchanges_;
  turns<8> broadcasts_;
  std::array<std::byte*, 2> scratch_{};
  std::size_t scratch_bytes_ = 0;
  double* maxima_;
  /// Data that `sum_at_first` needs. Sums are numbered from 1 on. On process 0, `parts_` has one
  /// part per process, and `arrived_` has the number of the sum to which each part belongs.
  /// `taken_` is the number of the latest sum to which process 0 has added this process's part.
  /// When process 0 has added a part, the sender may overwrite the part.
  std::byte* parts_ = nullptr;
  long *arrived_ = nullptr, *taken_ = nullptr;
  long sum_ = 0;
};

}  // namespace bench::one_sided
