#pragma once
// What reductions do to two elements.

#include <complex>
#include <cstddef>
#include <type_traits>

namespace atl::shmem {

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

}  // namespace atl::shmem
