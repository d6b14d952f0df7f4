#pragma once
// Work on many keys, between which other tasks run and messages arrive.

#include "atoll/local_memory.hpp"
#include "atoll/task.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace atl::kernels::sort {

/// So many keys take about a millisecond.
inline constexpr std::size_t k_stretch = std::size_t{1} << 18;

/// Calls body(part) for parts of the keys, one behind the other.
template <class Key, class Body>
task<> in_stretches(std::span<Key> keys, Body body) {
  for (std::size_t begin = 0; begin < keys.size(); begin += k_stretch) {
    body(keys.subspan(begin, std::min(k_stretch, keys.size() - begin)));
    co_await yield();
  }
}

/// Makes room for so many elements; none is lost, and those that are there stay. The system clears
/// new memory when it is touched, which takes a while.
template <class T>
task<> grow(huge_vector<T>& elements, std::size_t size) {
  elements.reserve(size);
  while (elements.size() < size) {
    elements.resize(std::min(size, elements.size() + k_stretch));
    co_await yield();
  }
}

/// Calls body(i) for each piece of so many, each of size_of(i) keys.
template <class Size, class Body>
task<> for_pieces(std::size_t pieces, Size size_of, Body body) {
  std::size_t done = 0;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    body(piece);
    done += size_of(piece);
    if (done < k_stretch) continue;
    done = 0;
    co_await yield();
  }
}

}  // namespace atl::kernels::sort
