#pragma once
// Checks whether memory suffices for a graph and the work on it, before it is allocated.

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
  std::uint64_t bytes;          ///< free memory for all PEs together, on all hosts
  std::string sentence;         ///< "X are free on this host, which has 2 of the 4 PEs"
  std::uint64_t set_apart = 0;  ///< part of the free memory reserved for the runtime
};

/// Returns the memory limit or, without one, the memory that is free. Free memory of this host is
/// scaled from its ranks to all ranks. In a control group, free memory excludes the reserve of the
/// runtime; throws `error` (environment) if too little is left. Without the number of ranks per
/// host, the memory counts as unlimited.
job_memory memory_for_job(const settings& options,
                          const std::optional<job::launch>& launched = job::present_launch());

/// Returns the bytes per vertex id: 4 if they suffice, else 8.
std::uint64_t id_bytes_for(const graph_flags& flags, std::uint64_t vertices);

/// Work on a graph, with its demand of memory.
struct graph_work {
  std::string_view doing;  ///< "searching"
  graph_size size;
  std::uint64_t pes = 1;
  double bytes = 0;   ///< peak of all PEs together, except for `fixed_bytes`
  double stored = 0;  ///< bytes of the edges of a file, already allocated
};

/// Throws `error` (out_of_memory) if the memory for `work` is not free. Call before the graph is
/// built.
void check_memory_for(const graph_flags& flags, const settings& options, const graph_work& work);

/// Returns the demand of loading a graph. `needed_again` means that the edges are used after the
/// graph is built.
load_demand demand_to_load(const graph_flags& flags, graph_size size, bool undirected,
                           std::uint64_t pes, bool needed_again);

/// Throws `error` (out_of_memory) if loading the file would exceed the free memory, by an estimate
/// without reading all of it. Throws `error` (input) if the file cannot be read. With --compact or
/// names the number of vertices is unknown, so the least demand counts.
void check_memory_to_load(const graph_flags& flags, const settings& options, bool undirected,
                          std::uint64_t pes, bool needed_again);

/// Throws `error` (out_of_memory) if the edges of the file alone would exceed the free memory.
void check_memory_to_read(const graph_flags& flags, const settings& options);

/// Returns the memory of all PEs that does not depend on the work. Simulated PEs share one process,
/// but each holds lists with an entry per PE for collectives.
double fixed_bytes(const settings& options, std::uint64_t pes);

/// Copies of gathered data on each PE: one as received, one as used.
inline constexpr double k_gathered_copies = 2;

}  // namespace atl::app
