#pragma once

#include "atoll/base/memory_account.hpp"
#include "atoll/base/pe.hpp"

#include <cstddef>

namespace atl::bench {

/// Counts memory that a benchmark keeps outside arrays and containers towards --memory-limit, from
/// its construction to its end. On the PE that has the memory, before it allocates that. Throws
/// atl::error (out_of_memory) beyond the share of the PE.
class held_memory {
 public:
  held_memory(std::size_t bytes, const char* what) : account_(*this_pe().account), bytes_(bytes) {
    account_.charge_data(bytes, what);
  }
  ~held_memory() { account_.release_data(bytes_); }
  held_memory(const held_memory&) = delete;
  held_memory& operator=(const held_memory&) = delete;

 private:
  memory_account& account_;  // it outlives the objects of its PE, which may go when there is no PE
  std::size_t bytes_;
};

}  // namespace atl::bench
