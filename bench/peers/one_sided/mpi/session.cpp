#include "peers/one_sided/mpi/session.hpp"

#include <mpi.h>

#include <cstdlib>

#include "peers/one_sided/mpi/version.hpp"

namespace bench::one_sided {
namespace {

struct numbers {
  int count;
  MPI_Datatype type;
};

numbers numbers_in(std::size_t bytes) {
  if (bytes < sizeof(double)) return {static_cast<int>(bytes), MPI_UINT8_T};
  return {static_cast<int>(bytes / sizeof(double)), MPI_DOUBLE};
}

}  // namespace

mpi_session::mpi_session() {
  // The component rdma of Open MPI 4.1 is disabled, because it accepts windows over TCP and then
  // fails to create them.
  setenv("OMPI_MCA_osc", "^rdma", 0);
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

mpi_session::~mpi_session() { MPI_Finalize(); }

std::string mpi_session::name() const { return mpi_version(); }

void mpi_session::barrier() { MPI_Barrier(MPI_COMM_WORLD); }

double mpi_session::maximum(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

std::byte* mpi_session::memory(std::size_t bytes) {
  blocks_.emplace_back(bytes).touch();
  return blocks_.back().data();
}

void mpi_session::broadcast(const std::byte* from, std::byte* to, std::size_t bytes) {
  auto* data = rank_ == 0 ? const_cast<std::byte*>(from) : to;
  MPI_Bcast(data, static_cast<int>(bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
}

void mpi_session::sum_everywhere(const std::byte* from, std::byte* to, std::size_t bytes) {
  const auto [count, type] = numbers_in(bytes);
  MPI_Allreduce(from, to, count, type, MPI_SUM, MPI_COMM_WORLD);
}

void mpi_session::sum_at_first(const std::byte* from, std::byte* to, std::size_t bytes) {
  const auto [count, type] = numbers_in(bytes);
  MPI_Reduce(from, to, count, type, MPI_SUM, 0, MPI_COMM_WORLD);
}

void mpi_session::exchange(const std::byte* from, std::byte* to, std::size_t bytes) {
  const auto count = static_cast<int>(bytes);
  MPI_Alltoall(from, count, MPI_BYTE, to, count, MPI_BYTE, MPI_COMM_WORLD);
}

}  // namespace bench::one_sided
