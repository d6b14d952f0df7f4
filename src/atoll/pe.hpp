#pragma once
// Functions for the number of this PE, the nodes of the job, the clock, and the memory in use.

#include "atoll/base/pe.hpp"
#include "atoll/observe/counters.hpp"
#include "atoll/transport/transport.hpp"

#include <cstdint>
#include <vector>

namespace atl {

using transport::nanoseconds;

/// Returns the number of this PE, 0 to pes() - 1. Throws atl::error (input) outside of a job.
inline int my_pe(site where = site::current()) { return pe_of_job("my_pe", where).rank; }

/// Returns the number of PEs of the job. Throws atl::error (input) outside of a job.
inline int pes(site where = site::current()) { return pe_of_job("pes", where).size; }

/// Returns the time of this PE in nanoseconds. The time never decreases, and its zero point has no
/// meaning. The clock is the kernel's monotonic clock or, in a simulated job, the virtual clock of
/// this PE. Times of PEs on different nodes cannot be compared. Throws atl::error (input) outside
/// of a job.
inline nanoseconds now(site where = site::current()) {
  return pe_of_job("now", where).transport->now();
}

/// Returns the seconds that have passed since `begin`, which `now` has returned on this PE. Throws
/// atl::error (input) outside of a job.
inline double seconds_since(nanoseconds begin, site where = site::current()) {
  return static_cast<double>(now(where) - begin) * 1e-9;
}

/// Returns the number of nodes of the job. Under an MPI launcher, the result is the number of
/// hosts. In a simulated job, the result is the number of modelled nodes. In all other jobs, the
/// result is 1. Throws atl::error (input) outside of a job.
int nodes(site where = site::current());

/// Returns the number of the node on which `pe` runs, 0 to nodes() - 1. Throws atl::error (input)
/// if the job has no such PE, and outside of a job.
int node_of(int pe, site where = site::current());

/// Returns the PEs of `node` in ascending order, or an empty vector if the job has no such node.
/// Throws atl::error (input) outside of a job.
std::vector<int> pes_of_node(int node, site where = site::current());

/// Returns whether `pe` is on the node of this PE. If the result is true, both PEs can load and
/// store each other's symmetric memory. Throws atl::error (input) if the job has no such PE, or if
/// this process runs no job.
bool shares_memory_with(int pe, site where = site::current());

/// Returns the largest number of bytes that arrays and containers have held on this PE at any time.
/// Throws atl::error (input) outside of a job.
inline std::uint64_t peak_memory(site where = site::current()) {
  return pe_of_job("peak_memory", where).counters->global_bytes_peak;
}

/// In a job on a modelled cluster, returns how long the network link of this PE's node has been
/// busy so far, in nanoseconds. In other jobs returns 0. Throws atl::error (input) outside of a
/// job.
inline nanoseconds network_taken(site where = site::current()) {
  return pe_of_job("network_taken", where).transport->network_taken();
}

}  // namespace atl
