#pragma once
// Collectives on the arrays of the members of a group: bytes are moved, or elements are reduced.

#include "atoll/shmem/meeting.hpp"

#include <complex>
#include <cstddef>
#include <type_traits>

namespace atl::shmem {

// Collectives that move bytes of the members of a group, straight between the arrays of the
// program: each member takes what it needs. All members call each, with the same sizes; each
// blocks, until the target is complete here and nobody needs the source any more.

/// The source of `root` becomes the target of all, or, where `but_root`, of all others.
void broadcast_bytes(const collective& of, void* dest, const void* source, std::size_t bytes,
                     int root, bool but_root);

/// The sources of all, one behind the other, become the target of member `to`, or of all.
void gather_bytes(const collective& of, void* dest, const void* source, std::size_t bytes, int to);

/// The same, of sources that differ in size.
void gather_differing(const collective& of, void* dest, const void* source, std::size_t bytes,
                      int to);

/// Equal blocks of an array, of which the members have one each: elements of some bytes, so many
/// elements apart.
struct blocks {
  std::size_t elements;
  std::size_t element_bytes;
  std::ptrdiff_t dest_stride = 1;
  std::ptrdiff_t source_stride = 1;
};

/// Block b of the source of member a becomes block a of the target of member b.
void exchange_blocks(const collective& of, void* dest, const void* source, const blocks& each);

// What reductions do to two elements.

/// Calculates with whole numbers as their unsigned types do, for those wrap around; narrow ones
/// would become signed.
template <class T, class Calculate>
T wrapping(T a, T b, const Calculate& calculate) {
  if constexpr (std::is_integral_v<T>) {
    using whole = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    return static_cast<T>(calculate(static_cast<whole>(a), static_cast<whole>(b)));
  } else {
    return calculate(a, b);
  }
}

// Named as the header names what they are for.

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

/// The same on active sets.
using and_to_all = and_reduce;
using or_to_all = or_reduce;
using xor_to_all = xor_reduce;
using max_to_all = max_reduce;
using min_to_all = min_reduce;
using sum_to_all = sum_reduce;
using prod_to_all = prod_reduce;

/// The same to one PE.
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

// Reductions of the arrays of the members of a group, element by element.

/// What is folded, and how.
struct folding {
  std::size_t elements;
  std::size_t element_bytes;
  fold_elements fold;
};

/// The sources of all, folded, become the target of member `to`, or of all, which get the same
/// bits: each element is folded on one PE, in an order that the size of the group decides. Target
/// and source may be one. All members call it, with the same sizes; it blocks.
void reduce_elements(const collective& of, void* dest, const void* source, const folding& what,
                     int to);

}  // namespace atl::shmem
