#pragma once
// What the ranks of a job tell each other first: who they are, and whether they fit together.

#include "atoll/base/settings.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace atl::job {

struct rank_card {
  std::uint64_t program;  ///< hash of its file
  std::uint64_t host;     ///< equal for processes that can share memory
  std::array<char, 64> host_name;
  std::array<char, 160> program_name;
};

/// Of this process.
rank_card own_card();

/// A hash of each setting, in the order of the table.
std::vector<std::uint64_t> hashes_of(const settings& settings);

}  // namespace atl::job
