#pragma once
// What the ranks of a job tell each other first: who they are, and whether they fit together.

#include "atoll/settings.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace atl::job {

struct rank_card {
  std::uint64_t program;  ///< hash of its file; 0: it may be executed and not read
  std::uint64_t build;    ///< hash of what the linker has written into it to tell it from others
  std::uint64_t machine;  ///< whose memory and processors the rank uses
  std::uint64_t host;     ///< equal for processes that see each other: such ranks may share memory
  std::array<char, 64> host_name;
  std::array<char, 160> program_name;
};

/// Of this process.
rank_card own_card();

/// As far as both cards say; the files, where both could be read.
bool is_same_program(const rank_card& a, const rank_card& b);

/// A hash of each setting, in the order of the table.
std::vector<std::uint64_t> hashes_of(const settings& settings);

}  // namespace atl::job
