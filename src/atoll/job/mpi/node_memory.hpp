#pragma once
// Functions for the memory that the ranks of a node share. The first rank of the node makes the
// memory and sends its descriptors to the other ranks.

#include "atoll/job/wire.hpp"
#include "atoll/transport/internode/nodes.hpp"
#include "atoll/transport/mpi/mpi_api.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace atl::job {

/// Returns the memory region that the ranks of this node share. The first rank of the node makes
/// the region, and the other ranks map the same memory. All ranks of the job must call this
/// function. Throws `error` (environment) if this rank cannot get the memory.
std::unique_ptr<shm::region> region_of_node(const atoll_mpi_api& mpi,
                                            const transport::internode::node_map& nodes,
                                            settings settings);

/// States which ranks of the job can share memory.
struct sharing {
  /// Number of the group of each rank. Ranks of the same group can share memory.
  std::vector<std::uint64_t> group_of;
  /// Number of ranks that cannot share memory with the first rank of their host.
  int apart = 0;
  int first_apart = 0;  ///< lowest rank that cannot share memory with the first rank of its host
  /// errno with which sharing failed on the rank `first_apart`.
  int reason = 0;
};

/// Finds out which ranks can share memory, by sharing a page among the ranks of each host. `hosts`
/// contains a number for each rank, and ranks of the same host have equal numbers. All ranks must
/// call this function, and all get the same result.
sharing find_sharing(const atoll_mpi_api& mpi, const std::vector<std::uint64_t>& hosts);

}  // namespace atl::job
