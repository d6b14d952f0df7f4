#pragma once
// This process under OpenSHMEM 1.4.

#include <array>
#include <cstddef>
#include <vector>

#include "peers/one_sided/library.hpp"

namespace bench::one_sided {

class openshmem_session : public library {
 public:
  /// A symmetric heap of at least so many bytes, unless the environment says how large it is.
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
  /// Words a collective operation needs for itself, and may use again only when no process can be
  /// in its last one: sets of them take turns. After an operation in which all hear of all, nobody
  /// is in the one before; after a broadcast only a barrier tells, which comes more often than all
  /// sets are used.
  template <std::size_t Sets>
  struct turns {
    std::array<long*, Sets> sets;
    std::size_t last = 0;
    long* next() { return sets[last = (last + 1) % Sets]; }
  };

  template <std::size_t Sets>
  void allocate(turns<Sets>& turns);
  /// Memory for a reduction of so many bytes; collective.
  std::byte* scratch(std::size_t bytes);
  void send_part(const std::byte* from, std::size_t bytes);
  void add_parts(std::byte* to, std::size_t bytes);

  turns<2> reductions_, exchanges_;
  turns<8> broadcasts_;
  std::array<std::byte*, 2> scratch_{};
  std::size_t scratch_bytes_ = 0;
  double* maxima_;
  /// Sums at process 0: the parts and how many sums they belong to; how many it has taken.
  std::byte* parts_ = nullptr;
  long *arrived_ = nullptr, *taken_ = nullptr;
  long sum_ = 0;
};

}  // namespace bench::one_sided
