#pragma once
// Checks whether memory suffices for a graph and for the work on the graph, before the memory is
// allocated.

#include "app/driver/graph_flags.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/launch.hpp"
#include "atoll/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace atl::app {

struct job_memory {
  std::uint64_t bytes;  ///< free memory for all PEs on all hosts together, in bytes
  /// A sentence for messages: "X are free on this host, which has 2 of the 4 PEs".
  std::string sentence;
  /// Part of the free memory that is reserved for the runtime, in bytes.
  std::uint64_t set_apart = 0;
};

/// Returns the memory limit, or the free memory if no limit is set. The free memory of this host is
/// multiplied by the number of all ranks and divided by the ranks of this host. If the launcher
/// does not tell the number of ranks per host, the function treats memory as unlimited. If a
/// control group limits memory, subtracts what the runtime needs, and throws `error` (environment)
/// if too little remains for data.
job_memory memory_for_job(const settings& options,
                          const std::optional<job::launch>& launched = job::present_launch());

/// Returns the number of bytes per id of a vertex: 4 if that suffices, otherwise 8.
std::uint64_t id_bytes_for(const graph_flags& flags, std::uint64_t vertices);

/// Work on a graph, and the memory that the work needs.
struct graph_work {
  std::string_view doing;  ///< name of the work, such as "searching"
  graph_size size;
  std::uint64_t pes = 1;
  double bytes = 0;   ///< peak memory in bytes of all PEs together, without `fixed_bytes`
  double stored = 0;  ///< memory of the edges of a file, which is already allocated
};

/// Throws `error` (out_of_memory) if there is not enough free memory for `work`. Must be called
/// before the graph is built.
void check_memory_for(const graph_flags& flags, const settings& options, const graph_work& work);

/// Returns the memory that loading a graph needs. `needed_again` means that the edges are used
/// after the graph was built. `arc_weights` means that the arcs of the graph get weights.
load_demand demand_to_load(const graph_flags& flags, graph_size size, bool undirected,
                           std::uint64_t pes, bool needed_again, bool arc_weights = false);

/// Throws `error` (out_of_memory) if loading the file would need more memory than is free. The need
/// is estimated without reading the whole file. With --compact or names, the number of vertices is
/// unknown, so the estimate is a lower bound. Throws `error` (input) if the file cannot be read.
void check_memory_to_load(const graph_flags& flags, const settings& options, bool undirected,
                          std::uint64_t pes, bool needed_again, bool arc_weights = false);

/// Throws `error` (out_of_memory) if the edges of the file alone need more memory than is free.
void check_memory_to_read(const graph_flags& flags, const settings& options);

/// Returns the number of bytes that all PEs together need independently of the graph. Simulated PEs
/// share one process, but each simulated PE has lists for collectives, with one entry per PE.
double fixed_bytes(const settings& options, std::uint64_t pes);

/// Number of copies of gathered data on each PE: a received copy, and a copy that the kernel uses.
inline constexpr double k_gathered_copies = 2;

}  // namespace atl::app
