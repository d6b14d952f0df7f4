#pragma once

#include "atoll/error.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"
#include "atoll/pe.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::bench {

/// Counts memory towards the limit of the job, like the class `atl::held_memory` of the library.
/// The constructor also checks the free memory of the machine, because the kernel kills processes
/// if memory runs out later. If memory does not suffice, the constructor throws atl::error
/// (out_of_memory).
class held_memory {
 public:
  /// The PEs that hold the same amount of memory at the same time: all PEs of the node, or only
  /// this PE.
  enum class by : std::uint8_t { all_pes, this_pe };

  held_memory(std::size_t bytes, const char* what, by holders = by::all_pes)
      : counted_(bytes, what) {
    expect_free(bytes, what, holders == by::this_pe ? 1 : pes_of_node(node_of(my_pe())).size());
  }

 private:
  static void expect_free(std::uint64_t bytes, const char* what, std::uint64_t holders) {
    const std::uint64_t free = read_memory_status().free();
    if (bytes <= free / holders) return;
    fail(errc::out_of_memory,
         "out of memory: {} more for {} on each of {} PE{} are beyond what this machine has free, "
         "{}",
         human_bytes(static_cast<double>(bytes)), what, holders, holders == 1 ? "" : "s",
         human_bytes(static_cast<double>(free)));
  }

  atl::held_memory counted_;
};

}  // namespace atl::bench
