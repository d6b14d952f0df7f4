#pragma once
// This file has collectives on the members of a group of PEs. Some collectives move bytes between
// the arrays of the members; reductions combine the arrays element by element.

#include "atoll/shmem/meeting.hpp"

#include <complex>
#include <cstddef>
#include <type_traits>

namespace atl::shmem {

// In the next collectives, each member reads the data that it needs from the arrays of the other
// members. All members must call each function. Except for `gather_differing`, all members must
// pass the same sizes. Each call blocks until the target is complete and the source may be changed.

/// Copies the source of member `root` to the target of every member. If `but_root` is true, the
/// target of `root` itself is not written.
void broadcast_bytes(const collective& of, void* dest, const void* source, std::size_t bytes,
                     int root, bool but_root);

/// Concatenates the sources of all members, of `bytes` bytes each, in the target of member `to`. If
/// `to` is k_everyone, every member gets the result.
void gather_bytes(const collective& of, void* dest, const void* source, std::size_t bytes, int to);

/// Concatenates the sources of all members, whose sizes may differ, in the target of member `to`.
/// If `to` is k_everyone, every member gets the result.
void gather_differing(const collective& of, void* dest, const void* source, std::size_t bytes,
                      int to);

/// Equal blocks of an array, one block per member. The strides are the distances of consecutive
/// elements, in elements.
struct blocks {
  std::size_t elements;
  std::size_t element_bytes;
  std::ptrdiff_t dest_stride = 1;
  std::ptrdiff_t source_stride = 1;
};

/// Copies block b of the source of member a to block a of the target of member b, for all a and b.
void exchange_blocks(const collective& of, void* dest, const void* source, const blocks& each);

// The next types are the operations of reductions, which combine two elements.

/// Returns calculate(a, b). Integers are first converted to an unsigned type, in which overflow is
/// defined and wraps around. The unsigned type has at least the width of `unsigned`, because C++
/// would convert a narrower type to a signed integer.
template <class T, class Calculate>
T wrapping(T a, T b, const Calculate& calculate) {
  if constexpr (std::is_integral_v<T>) {
    using whole = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    return static_cast<T>(calculate(static_cast<whole>(a), static_cast<whole>(b)));
  } else {
    return calculate(a, b);
  }
}

// The name of each operation is also a part of the names of C functions, which macros generate.

struct and_reduce {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct or_reduce {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};

struct xor_reduce {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

struct max_reduce {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};

struct min_reduce {
  template <class T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};

struct sum_reduce {
  template <class T>
  static T of(T a, T b) {
    return wrapping(a, b, [](auto x, auto y) { return x + y; });
  }
};

struct prod_reduce {
  template <class T>
  static T of(T a, T b) {
    return wrapping(a, b, [](auto x, auto y) { return x * y; });
  }
};

/// The names of the operations in the C functions for active sets.
using and_to_all = and_reduce;
using or_to_all = or_reduce;
using xor_to_all = xor_reduce;
using max_to_all = max_reduce;
using min_to_all = min_reduce;
using sum_to_all = sum_reduce;
using prod_to_all = prod_reduce;

/// The names of the operations in C functions that give the result to only one PE.
using and_reduce_to = and_reduce;
using or_reduce_to = or_reduce;
using xor_reduce_to = xor_reduce;
using max_reduce_to = max_reduce;
using min_reduce_to = min_reduce;
using sum_reduce_to = sum_reduce;
using prod_reduce_to = prod_reduce;

template <class T, class Operation>
void fold_by(void* into, const void* from, std::size_t elements) {
  auto* const __restrict left = static_cast<T*>(into);
  const auto* const __restrict right = static_cast<const T*>(from);
  for (std::size_t i = 0; i < elements; ++i) left[i] = Operation::of(left[i], right[i]);
}

// The next function reduces the arrays of all members, element by element.

/// The number and size of the elements of a reduction, and its operation.
struct folding {
  std::size_t elements;
  std::size_t element_bytes;
  fold_elements fold;
};

/// Reduces the sources of all members into the target of member `to`. If `to` is k_everyone, every
/// member gets the result, with the same bits. Target and source may be the same array. All members
/// must call this function with the same sizes. The call blocks.
void reduce_elements(const collective& of, void* dest, const void* source, const folding& what,
                     int to);

}  // namespace atl::shmem
