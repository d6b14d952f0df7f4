#pragma once
// What `atoll sort` was asked for.

#include "app/benchmark.hpp"
#include "atoll/kernels/sort/sort.hpp"

#include <string>

namespace atl::app {

struct sort_flags {
  benchmark_flags common;
  std::string file;                               ///< with keys; "" for none
  const kernels::sort::nas_class* nas = nullptr;  ///< of --class, or of no other input
  std::uint64_t keys = 0;                         ///< random ones; 0 for none
  std::uint64_t bits = 0;                         ///< of those; 0: as many as usual
  std::uint64_t seed = 1;                         ///< of those
  kernels::sort::exchange exchange = kernels::sort::exchange::collective;
  std::string output;  ///< file for the keys in order; "" for none

  bool of_file() const { return !file.empty(); }
  bool random() const { return keys != 0; }
};

}  // namespace atl::app
