#pragma once
// Measures the costs of the basic operations of kernels on this machine, for the model of a
// cluster. Each operation is timed alone in a plain loop without the runtime. No kernel or
// benchmark contains such a loop.

#include <cstdint>

namespace atl::reproduction::prices {

/// Sizes of the caches of a core in bytes. `third_level` is the part of the third-level cache that
/// serves the core while all cores are busy.
struct caches {
  std::uint64_t second_level = 0;
  std::uint64_t third_level = 0;
};

/// Returns the sizes that the system reports. The third level is divided equally among `cores`
/// cores. If the system reports nothing, the second level has 1 MiB, and the third level is as
/// large as the second.
caches caches_of_machine(std::uint64_t cores);

/// Costs on one core in nanoseconds. `memory_gap_per_byte` is measured while all cores use the full
/// bandwidth.
struct machine {
  caches held;
  /// Access to a line of a table that fills half of the second level.
  double second_level_line = 0;
  double third_level_line = 0;  ///< access to a line that only the third level holds
  double memory_line = 0;       ///< access to a line that no cache holds
  double memory_gap_per_byte = 0;
  double tree_node_hashed = 0;
  double place_scrambled = 0;
  double edge_scanned = 0;
  double vertex_visited = 0;         ///< work for a vertex, without its edges and cache lines
  double byte_copied = 0;            ///< copied from memory to memory
  double byte_copied_in_caches = 0;  ///< copied within caches, 32 KiB at a time
  double core_switch = 0;            ///< switch between two threads that use 256 KiB each
};

/// Returns the peak memory of `measure_machine` in bytes.
std::uint64_t bytes_to_measure_machine(std::uint64_t cores);

/// Measures this machine. The call takes seconds and about 300 MB per core, and briefly uses all
/// cores.
machine measure_machine(std::uint64_t cores);

}  // namespace atl::reproduction::prices
