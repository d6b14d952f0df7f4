#pragma once
// The command line of all programs that measure one-sided access.

#include <cstdint>
#include <string>
#include <string_view>

#include "support/flags.hpp"

namespace bench::one_sided {

struct options {
  std::string operation = "put", way = "two-sided";
  std::uint64_t size = 8, processes = 2, rounds = 1000;
  double seconds = 0.3, compute_seconds = 1;
  bool contended = false, over_hosts = false;
};

/// Adds all flags except --way, because only some libraries have more than one way.
void add_flags(flags& flags, options& o);

/// Throws bad_input if the operation is unknown, or not available at this size.
void check(const options& o);

/// Throws bad_input if `holds` is false. The message contains the flag, its value and the reason.
void require(bool holds, std::string_view flag, std::string_view value, std::string_view reason);

/// Returns whether all processes perform the operation together.
bool is_collective(std::string_view operation);

/// Throws bad_input if `processes` is too small for the operation.
void check_processes(const options& o, std::uint64_t processes);

/// Number of put-nbi or get-nbi operations between two waits.
constexpr std::size_t places_of_window = 64;

/// Returns the number of different blocks that the operation reads or writes.
inline std::size_t places(const options& o) {
  return o.operation.ends_with("-nbi") ? places_of_window : 1;
}

}  // namespace bench::one_sided
