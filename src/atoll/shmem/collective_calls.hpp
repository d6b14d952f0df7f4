#pragma once
// This file has the bodies of the C functions for collectives on teams and on active sets. Each
// function checks its arguments first. A call with 0 elements does nothing.

#include "atoll/shmem/errors.hpp"
#include "atoll/shmem/exchange.hpp"
#include "atoll/shmem/meeting.hpp"

namespace atl::shmem {

// The next functions check the arguments of a collective before the collective begins. An invalid
// argument ends the job with an error that states the name of the call and the values.

/// A range of bytes in the memory of the program.
struct stretch {
  const void* begin;
  std::size_t bytes;
};

// The check functions call the next three functions in debug builds only. `refuse_unequal`
// communicates.
void refuse_unequal(const collective& of, const char* name, long value);
void refuse_overlapping(const char* call, const stretch& dest, const stretch& source);
void refuse_not_symmetric(const char* call, const stretch& one);

/// In debug builds, ends the job if members have passed different values of the argument `name`.
/// All members must call this function.
inline void check_equal(const collective& of, const char* name, long value) {
  if constexpr (k_checks_all) refuse_unequal(of, name, value);
}

/// In debug builds, ends the job if `dest` or `source` is not in symmetric memory, or if the two
/// ranges overlap.
inline void check_apart(const char* call, const stretch& dest, const stretch& source) {
  if constexpr (k_checks_all) {
    refuse_not_symmetric(call, dest);
    refuse_not_symmetric(call, source);
    refuse_overlapping(call, dest, source);
  }
}

/// Checks like `check_apart`, but allows two ranges that begin at the same address.
inline void check_apart_or_same(const char* call, const stretch& dest, const stretch& source) {
  if (dest.begin != source.begin) check_apart(call, dest, source);
}

// The next checks run in all builds.
[[noreturn]] void refuse_root(const collective& of, int root);

inline void check_root(const collective& of, int root) {
  if (root < 0 || root >= of.all.size) [[unlikely]]
    refuse_root(of, root);
}

/// A number of elements in an array of the program, and the size of one element.
struct element_count {
  std::size_t elements;
  std::size_t element_bytes;

  std::size_t bytes() const { return elements * element_bytes; }
};

void broadcast(const collective& of, void* dest, const void* source, const element_count& each,
               int root, bool but_root);
void collect(const collective& of, void* dest, const void* source, const element_count& each,
             int to);
void fcollect(const collective& of, void* dest, const void* source, const element_count& each,
              int to);
void alltoalls(const collective& of, void* dest, const void* source, const blocks& each);
void reduce(const collective& of, void* dest, const void* source, const folding& what, int to);

template <class T, class Operation>
folding folding_of(std::size_t elements) {
  return {elements, sizeof(T), fold_by<T, Operation>};
}

}  // namespace atl::shmem
