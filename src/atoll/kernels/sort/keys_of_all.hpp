#pragma once
// The handle of keys over all PEs, of one width.

#include "atoll/collectives.hpp"
#include "atoll/symmetric_array.hpp"

#include <cstdint>

namespace atl::kernels::sort {

template <class Key>
struct key_part;

/// Keys on all PEs; a small value that can be sent.
template <class Key>
struct keys_of_all {
  per_pe<key_part<Key>> parts;
  symmetric_array<Key> received;

  /// Allocates memory for any `keys` keys below 2^bits of all PEs. One task calls it. Throws
  /// atl::error (out_of_memory).
  static task<keys_of_all> make(std::uint64_t keys, unsigned bits);

  /// Frees the memory. One task calls it once.
  task<> destroy() const;
};

}  // namespace atl::kernels::sort
