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

/// Makes or maps the region that the ranks of this node share. All ranks of the job must call this.
/// Throws `error` (environment) if this rank cannot get the memory.
std::unique_ptr<shm::region> region_of_node(const atoll_mpi_api& mpi,
                                            const transport::internode::node_map& nodes,
                                            settings settings);

/// The result of `find_sharing`, which states which ranks can share memory.
struct sharing {
  /// Group of each rank; ranks with equal numbers can share memory.
  std::vector<std::uint64_t> group_of;
  /// Number of ranks that cannot share memory with the first rank of their host.
  int apart = 0;
  int first_apart = 0;  ///< lowest of these ranks
  /// errno with which sharing failed on the rank `first_apart`.
  int reason = 0;
};

/// Finds out which ranks can share memory, by sharing a page among the ranks of each host. `hosts`
/// has a number for each rank, equal for ranks of one host. All ranks must call this, and all get
/// the same result.
sharing find_sharing(const atoll_mpi_api& mpi, const std::vector<std::uint64_t>& hosts);

}  // namespace atl::job
