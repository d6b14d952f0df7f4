#pragma once
// Exchanges lists of items between all processes.

#include <mpi.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace bench::peers {

template <class Item>
MPI_Datatype mpi_type() {
  static_assert(sizeof(Item) == 4 || sizeof(Item) == 8);
  return sizeof(Item) == 4 ? MPI_UINT32_T : MPI_UINT64_T;
}

/// Sends the list `to[k]` to process k of `group`. Returns the received items in the order of the
/// sending processes. Each process must send and receive fewer than 2^31 items. All processes of
/// `group` call this function.
template <class Item>
std::vector<Item> exchange(MPI_Comm group, const std::vector<std::vector<Item>>& to) {
  const std::size_t size = to.size();
  std::vector<int> out(size), in(size), out_at(size), in_at(size);
  for (std::size_t process = 0; process < size; ++process)
    out[process] = static_cast<int>(to[process].size());
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, group);
  std::exclusive_scan(out.begin(), out.end(), out_at.begin(), 0);
  std::exclusive_scan(in.begin(), in.end(), in_at.begin(), 0);
  std::vector<Item> staged;
  staged.reserve(static_cast<std::size_t>(out_at.back() + out.back()));
  for (const auto& list : to) staged.insert(staged.end(), list.begin(), list.end());
  std::vector<Item> received(static_cast<std::size_t>(in_at.back() + in.back()));
  MPI_Alltoallv(staged.data(), out.data(), out_at.data(), mpi_type<Item>(), received.data(),
                in.data(), in_at.data(), mpi_type<Item>(), group);
  return received;
}

}  // namespace bench::peers
