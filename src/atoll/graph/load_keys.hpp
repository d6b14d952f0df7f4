#pragma once
// The keys of a file, a part on each PE.

#include "atoll/collectives.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace atl {

/// What a file of keys has.
struct keys_in_file {
  std::uint64_t keys = 0;
  std::uint64_t largest = 0;  ///< 0 where there is none
};

/// A file of keys, as PE 0 knows it.
struct key_file {
  std::string path;
  std::string content;  ///< where its content stands, for a name such as /dev/stdin; "": there
};

/// Reads the file, an equal part on each PE, in the order of the file; `read_keys.hpp` says which
/// files. `progress` hears on PE 0 how much was read, 0 to 1. One task calls it, on PE 0. Blocks
/// the task. Throws `error`: (input) the first by its line of those of all PEs; (out_of_memory)
/// beyond the setting memory-limit.
task<keys_in_file> load_keys(const key_file& file, per_pe<std::vector<std::uint64_t>> into,
                             const std::function<void(double)>& progress);

}  // namespace atl
