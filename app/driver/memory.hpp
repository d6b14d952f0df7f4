#pragma once
// Whether there is room for a graph and the work on it, told before it is taken.

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
  std::uint64_t bytes;          ///< of all PEs together, on all their hosts
  std::string sentence;         ///< "X are free on this host, which has 2 of the 4 PEs"
  std::uint64_t set_apart = 0;  ///< of what is free, for the runtime itself
};

/// Where no limit is set: what this host has free, for its part of the ranks; of a control group,
/// what that leaves beside the runtime. Throws `error` (environment) where it leaves too little.
/// Ranks of a launcher that does not say how many of them this host has are taken to be all on it.
job_memory memory_for_job(const settings& options,
                          const std::optional<job::launch>& launched = job::present_launch());

/// 4 while they suffice.
std::uint64_t id_bytes_for(const graph_flags& flags, std::uint64_t vertices);

/// What is to be done with a graph.
struct graph_work {
  std::string_view doing;  ///< "searching"
  graph_size size;
  std::uint64_t pes = 1;
  double bytes = 0;   ///< the most all PEs together hold at a time, but for `fixed_bytes`
  double stored = 0;  ///< bytes of the edges of a file, which are there already
};

/// Throws `error` (out_of_memory) unless there is room for it. Any time before the graph is built.
void check_memory_for(const graph_flags& flags, const settings& options, const graph_work& work);

/// `needed_again`: the edges, after the graph is built.
load_demand demand_to_load(const graph_flags& flags, graph_size size, bool undirected,
                           std::uint64_t pes, bool needed_again);

/// Throws `error` (out_of_memory) if the file cannot be loaded, as far as can be told without
/// reading it, and `error` (input) if it cannot be read. The least it takes where nobody knows how
/// many vertices there are: with --compact, or where they have names.
void check_memory_to_load(const graph_flags& flags, const settings& options, bool undirected,
                          std::uint64_t pes, bool needed_again);

/// The same for its edges alone.
void check_memory_to_read(const graph_flags& flags, const settings& options);

/// What all PEs together hold beside what they are for. Simulated ones share a process, in which
/// each has lists by PE where all exchange.
double fixed_bytes(const settings& options, std::uint64_t pes);

/// What is gathered from all PEs stands on each of them twice: as it came, and as it is used.
inline constexpr double k_gathered_copies = 2;

}  // namespace atl::app
