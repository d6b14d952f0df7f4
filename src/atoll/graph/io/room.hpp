#pragma once
// Room for what is still to be read, guessed from what was read so far.

#include "atoll/base/pages_and_lines.hpp"
#include "atoll/graph/edge_list.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace atl::graph {

/// For the whole huge pages of the block: the first touch of so many small pages takes as long as
/// reading what is put there.
inline void ask_for_huge_pages(void* block, std::size_t bytes) {
  void* begin = block;
  if (std::align(k_huge_page, k_huge_page, begin, bytes) == nullptr) return;
  ::madvise(begin, bytes / k_huge_page * k_huge_page, MADV_HUGEPAGE);
}

/// To be called after each block. With a good guess the elements are never moved, so that reading
/// takes the memory of its result and not twice that. `done` is the share of the part that was
/// read.
template <class Element>
void make_room_for_rest(std::vector<Element>& elements, double done) {
  if (done <= 0 || done >= 1) return;
  const auto size = static_cast<double>(elements.size());
  const auto rest = size / done - size;
  if (rest <= static_cast<double>(elements.capacity() - elements.size())) return;
  try {
    elements.reserve(static_cast<std::size_t>(size + std::max(1.1 * rest, 0.25 * size)));
    ask_for_huge_pages(elements.data(), elements.capacity() * sizeof(Element));
  } catch (const std::bad_alloc&) {
    // The guess was too high; the elements make do with what they need.
  }
}

/// The same for a list of edges that keeps all it reads.
inline void make_room_for_rest(edge_list& list, double done) {
  if (list.origin.options.by_blocks) return;
  make_room_for_rest(list.edges, done);
  if (!list.weights.empty()) make_room_for_rest(list.weights, done);
}

}  // namespace atl::graph
