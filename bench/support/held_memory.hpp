#pragma once

#include "atoll/base/memory_account.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"
#include "atoll/pe.hpp"

#include <cstddef>
#include <cstdint>

namespace atl::bench {

/// Counts memory that a benchmark keeps outside arrays and containers towards --memory-limit, from
/// its construction to its end. On the PE that has the memory, before it allocates that. Throws
/// atl::error (out_of_memory) beyond the share of the PE, and beyond what the machine has free:
/// where no limit is set, the kernel would kill some process.
class held_memory {
 public:
  /// Who holds as much at the same time.
  enum class by : std::uint8_t { all_pes, this_pe };

  held_memory(std::size_t bytes, const char* what, by holders = by::all_pes)
      : account_(*atl::this_pe().account), bytes_(bytes) {
    account_.charge_data(bytes, what);
    try {
      expect_free(bytes, what, holders == by::this_pe ? 1 : pes_of_node(node_of(my_pe())).size());
    } catch (...) {
      account_.release_data(bytes);
      throw;
    }
  }
  ~held_memory() { account_.release_data(bytes_); }
  held_memory(const held_memory&) = delete;
  held_memory& operator=(const held_memory&) = delete;

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

  memory_account& account_;  // it outlives the objects of its PE, which may go when there is no PE
  std::size_t bytes_;
};

}  // namespace atl::bench
