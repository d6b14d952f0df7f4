#pragma once
// What is mapped in this process, as the kernel says.

#include <cstdint>
#include <vector>

namespace atl::shmem {

struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

struct mapped_range {
  address_range pages;
  bool is_private_and_writable;
  bool is_executable;
  bool is_anonymous;  ///< of no file
};

/// All that begins below this address, in the order of addresses. Throws `error` (environment)
/// without /proc.
std::vector<mapped_range> mapped_below(std::uintptr_t end);

}  // namespace atl::shmem
