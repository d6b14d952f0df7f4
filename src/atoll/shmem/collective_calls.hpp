#pragma once
// What the functions of the C interface for collectives do, on teams and on active sets alike:
// arguments are looked at, and nothing is done for no elements.

#include "atoll/shmem/exchange.hpp"
#include "atoll/shmem/operations.hpp"
#include "atoll/shmem/reduction.hpp"

namespace atl::shmem {

/// Elements of an array of the program.
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
