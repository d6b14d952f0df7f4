#pragma once
// Memory that the ranks of a node share: the first of them makes it and hands it to the others.

#include "atoll/job/wire.hpp"
#include "atoll/transport/far/nodes.hpp"
#include "atoll/transport/mpi/mpi_api.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace atl::job {

/// Returns the region of this rank's node. Collective over all ranks; when it has returned on all,
/// all have the region. Throws `error` (environment).
std::unique_ptr<shm::region>
region_of_node(const atoll_mpi_api& mpi, const transport::far::node_map& nodes, settings settings);

/// Which ranks can share memory: they have equal numbers.
struct sharing {
  std::vector<std::uint64_t> group_of;  ///< by rank
  int apart = 0;                        ///< ranks that cannot share with their host's first
  int first_apart = 0;                  ///< the lowest of these ranks
  int reason = 0;                       ///< the errno of that rank
};

/// Tries to share one page among the ranks of each host; `hosts` has equal numbers, by rank, for
/// the same host. Collective over all ranks, which get the same result.
sharing find_sharing(const atoll_mpi_api& mpi, const std::vector<std::uint64_t>& hosts);

}  // namespace atl::job
