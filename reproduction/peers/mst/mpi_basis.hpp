#pragma once
// The common base class of both exchanges over MPI: messages and one-sided access.

#include "atoll/kernels/mst/lists.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reproduction/peers/mst/immediate.hpp"

namespace bench::mst {

class mpi_basis : public blocking_basis {
 public:
  mpi_basis() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int pe() const { return rank_; }
  int pes() const { return size_; }

  /// Does nothing. In Atoll, this function charges work to the simulated time, but this program is
  /// not simulated.
  static void charge(atl::kernels::mst::work_kind, std::uint64_t) {}

  /// All processes must call the next functions.
  static immediate<> barrier() {
    MPI_Barrier(MPI_COMM_WORLD);
    co_return;
  }
  static immediate<double> maximum(double value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    co_return value;
  }
  static immediate<std::uint64_t> sum(std::uint64_t value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    co_return value;
  }
  static immediate<std::vector<std::uint64_t>> sum(std::vector<std::uint64_t> values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                  MPI_SUM, MPI_COMM_WORLD);
    co_return values;
  }

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace bench::mst
