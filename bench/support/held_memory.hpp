#pragma once

#include "atoll/base/pe.hpp"

#include <cstddef>

namespace atl::bench {

/// Counts memory that a benchmark keeps outside arrays and containers towards --memory-limit, from
/// its construction to its end. On the PE that has the memory, before it allocates that. Throws
/// atl::error (out_of_memory) beyond the share of the PE.
class held_memory {
 public:
  held_memory(std::size_t bytes, const char* what) : bytes_(bytes) {
    this_pe().account->charge_data(bytes, what);
  }
  ~held_memory() { this_pe().account->release_data(bytes_); }
  held_memory(const held_memory&) = delete;
  held_memory& operator=(const held_memory&) = delete;

 private:
  std::size_t bytes_;
};

}  // namespace atl::bench
