#pragma once
// Represents this process in a job of MPI.

#include <vector>

#include "peers/one_sided/library.hpp"
#include "support/huge_array.hpp"

namespace bench::one_sided {

class mpi_session : public library {
 public:
  mpi_session();
  ~mpi_session() override;
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;

  std::string name() const override;
  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t size() const override { return static_cast<std::size_t>(size_); }

  void barrier() override;
  double maximum(double value) override;
  std::byte* memory(std::size_t bytes) override;

  void broadcast(const std::byte* from, std::byte* to, std::size_t bytes) override;
  void sum_everywhere(const std::byte* from, std::byte* to, std::size_t bytes) override;
  void sum_at_first(const std::byte* from, std::byte* to, std::size_t bytes) override;
  void exchange(const std::byte* from, std::byte* to, std::size_t bytes) override;

 private:
  int rank_ = 0, size_ = 1;
  std::vector<huge_block> blocks_;
};

}  // namespace bench::one_sided
