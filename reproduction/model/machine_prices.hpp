#pragma once
// What the elements of a kernel's work cost this machine: plain loops without the runtime, each
// alone, which no kernel or benchmark of the program times. For the model of a cluster.

#include <cstdint>

namespace atl::reproduction::prices {

/// The caches a core has, in bytes; of the third level the part that serves it while all cores are
/// busy.
struct caches {
  std::uint64_t second_level = 0;
  std::uint64_t third_level = 0;
};

/// As the system says, the third level in equal parts; one it does not know is as large as the
/// level before (1 MiB).
caches caches_of_machine(std::uint64_t cores);

/// Nanoseconds of one core, and of a byte where all move as much as they can.
struct machine {
  caches held;
  double second_level_line = 0;  ///< a line of a table that fills half of that cache
  double third_level_line = 0;   ///< one that only the third level holds
  double memory_line = 0;        ///< one that no cache holds
  double memory_gap_per_byte = 0;
  double tree_node_hashed = 0;
  double place_scrambled = 0;
  double edge_scanned = 0;
  double vertex_visited = 0;         ///< beside its edges and its lines
  double byte_copied = 0;            ///< memory to memory
  double byte_copied_in_caches = 0;  ///< 32 KiB to and fro
  double core_switch = 0;            ///< between two threads that use 256 KiB each
};

/// The most memory that `measure_machine` takes at a time.
std::uint64_t bytes_to_measure_machine(std::uint64_t cores);

/// Takes seconds, some 300 MB for each core, and all cores at once for a moment.
machine measure_machine(std::uint64_t cores);

}  // namespace atl::reproduction::prices
