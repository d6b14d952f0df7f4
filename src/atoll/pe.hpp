#pragma once
// Who is here, and what time it is: the number of this PE, the nodes of the job, the clock, and the
// memory in use.

#include "atoll/base/pe.hpp"
#include "atoll/observe/counters.hpp"
#include "atoll/transport/transport.hpp"

#include <cstdint>
#include <vector>

namespace atl {

using transport::nanoseconds;

/// The number of this PE, 0 to pes() - 1. Throws atl::error (input) outside of a job.
inline int my_pe(site where = site::current()) { return pe_of_job("my_pe", where).rank; }

/// The number of PEs of the job. Throws atl::error (input) outside of a job.
inline int pes(site where = site::current()) { return pe_of_job("pes", where).size; }

/// The time of this PE in nanoseconds, from a moment that means nothing: the kernel's monotonic
/// clock, or the virtual one of a simulated job. It never goes back. Where PEs are on several
/// nodes, their clocks differ. Throws atl::error (input) outside of a job.
inline nanoseconds now(site where = site::current()) {
  return pe_of_job("now", where).transport->now();
}

/// The seconds that have passed since `begin`, a value of `now` of this PE. Throws atl::error
/// (input) outside of a job.
inline double seconds_since(nanoseconds begin, site where = site::current()) {
  return static_cast<double>(now(where) - begin) * 1e-9;
}

/// The number of nodes of the job: hosts under an MPI launcher, those of the model in a simulated
/// job, else 1. Throws atl::error (input) outside of a job.
int nodes(site where = site::current());

/// The node of `pe`, 0 to nodes() - 1. Throws atl::error (input) where the job has no such PE, and
/// outside of a job.
int node_of(int pe, site where = site::current());

/// The PEs of `node` in ascending order; none where the job has no such node. Throws atl::error
/// (input) outside of a job.
std::vector<int> pes_of_node(int node, site where = site::current());

/// Whether `pe` is on the node of this PE: both then reach symmetric memory of each other by loads
/// and stores. Throws atl::error (input) where the job has no such PE, and outside of a job.
bool shares_memory_with(int pe, site where = site::current());

/// The largest number of bytes that arrays and containers have held on this PE at a time. Throws
/// atl::error (input) outside of a job.
inline std::uint64_t peak_memory(site where = site::current()) {
  return pe_of_job("peak_memory", where).counters->global_bytes_peak;
}

/// For how long the way from the node of this PE into the network was taken so far, where a model
/// of a cluster says so; else 0. Throws atl::error (input) outside of a job.
inline nanoseconds network_taken(site where = site::current()) {
  return pe_of_job("network_taken", where).transport->network_taken();
}

}  // namespace atl
