#pragma once
// Reads the flags of a memory mapping of this process.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace atl::test {

/// Returns the flags of the mapping that contains `memory` (proc(5), VmFlags), with spaces around
/// each flag. Returns "" if no mapping contains `memory`.
inline std::string flags_of_mapping(const void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  std::ifstream mappings("/proc/self/smaps");
  bool found = false;
  for (std::string line; std::getline(mappings, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
      found = begin <= address && address < end;
    if (found && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}

}  // namespace atl::test
