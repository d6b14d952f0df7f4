#pragma once
// Measures the costs of basic operations on this machine, such as cache misses, for the performance
// model of a cluster. Each operation is timed in a loop of its own, without the runtime. The loops
// are not taken from kernels or benchmarks, so that kernels and benchmarks can check the model.

#include <cstdint>

namespace atl::reproduction::prices {

/// Sizes in bytes of the caches of a core. `third_level` is the part of the third-level cache that
/// the core can use while all cores are busy.
struct caches {
  std::uint64_t second_level = 0;
  std::uint64_t third_level = 0;
};

/// Returns the cache sizes that the system reports. The third-level cache is divided equally among
/// `cores` cores. If the system reports nothing, the result is 1 MiB for both levels.
caches caches_of_machine(std::uint64_t cores);

/// Costs of operations on one core in nanoseconds. `memory_gap_per_byte` is measured while all
/// cores together use the full memory bandwidth.
struct machine {
  caches held;
  /// access to a cache line of a table that fills half of the second-level cache
  double second_level_line = 0;
  double third_level_line = 0;  ///< access to a cache line that is in the third-level cache only
  double memory_line = 0;       ///< access to a cache line that is in no cache
  double memory_gap_per_byte = 0;
  double tree_node_hashed = 0;
  double place_scrambled = 0;
  double edge_scanned = 0;
  double vertex_visited = 0;         ///< work for a vertex, without its edges and cache lines
  double byte_copied = 0;            ///< copying a byte from memory to memory
  double byte_copied_in_caches = 0;  ///< copying a byte within the caches, 32 KiB at a time
  double core_switch = 0;            ///< switch between two threads that use 256 KiB each
};

/// Returns the peak memory of `measure_machine` in bytes.
std::uint64_t bytes_to_measure_machine(std::uint64_t cores);

/// Measures all costs on this machine. The call takes a few seconds and about 300 MB of memory per
/// core, and briefly uses all cores.
machine measure_machine(std::uint64_t cores);

}  // namespace atl::reproduction::prices
