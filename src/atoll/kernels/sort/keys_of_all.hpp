#pragma once
// A handle to keys that are distributed over all PEs. All keys have the same width in bits.

#include "atoll/collectives.hpp"
#include "atoll/symmetric_array.hpp"

#include <cstdint>

namespace atl::kernels::sort {

template <class Key>
struct key_part;

/// The keys of all PEs. The object is a small value, which a program can send.
template <class Key>
struct keys_of_all {
  per_pe<key_part<Key>> parts;
  symmetric_array<Key> received;

  /// Allocates memory for `keys` keys below 2^bits, summed over all PEs. The memory suffices for
  /// any distribution of the keys' values. One task calls this function. Throws atl::error
  /// (out_of_memory) if memory is exhausted.
  static task<keys_of_all> make(std::uint64_t keys, unsigned bits);

  /// Frees the memory. One task calls this function, once.
  task<> destroy() const;
};

}  // namespace atl::kernels::sort
