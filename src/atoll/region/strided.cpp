#include "atoll/region/strided.hpp"

#include "atoll/base/stream_line.hpp"
#include "atoll/region/transposition.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace atl::regions {
namespace {

// Shorter rows leave too little between their ends for whole lines.
constexpr std::size_t k_smallest_streamed = 1024;

/// Elements whose size is known where it is one of a machine word.
template <std::size_t Bytes>
struct sized {
  static constexpr std::size_t bytes() { return Bytes; }
};
struct of_any_size {
  std::size_t count;
  std::size_t bytes() const { return count; }
};

template <class Visit>
void with_size(std::size_t bytes, const Visit& visit) {
  switch (bytes) {
  case 4:
    return visit(sized<4>());
  case 8:
    return visit(sized<8>());
  case 16:
    return visit(sized<16>());
  default:
    return visit(of_any_size{bytes});
  }
}

void copy_elements(const strided_pair& both, std::size_t bytes) {
  with_size(bytes, [&](auto size) {
    both.for_each_row([&](std::byte* to, const std::byte* from) {
      for (std::int64_t k = 0; k < both.extent[2]; ++k)
        std::memcpy(to + k * both.to.step[2], from + k * both.from.step[2], size.bytes());
    });
  });
}

/// Both sides lie side by side, each along another dimension: that of `from` becomes the second.
bool is_transposition(strided_pair& both, std::int64_t bytes) {
  if (both.to.step[2] != bytes) return false;
  for (const std::size_t axis : {0, 1}) {
    if (both.from.step[axis] != bytes || both.extent[axis] == 1) continue;
    std::swap(both.extent[axis], both.extent[1]);
    std::swap(both.to.step[axis], both.to.step[1]);
    std::swap(both.from.step[axis], both.from.step[1]);
    return true;
  }
  return false;
}

void copy_transposed(const strided_pair& both, std::size_t bytes, amount whole) {
  for (std::int64_t i = 0; i < both.extent[0]; ++i) {
    const plane all{both.to.at + i * both.to.step[0],
                    both.to.step[1],
                    both.from.at + i * both.from.step[0],
                    both.from.step[2],
                    both.extent[1],
                    both.extent[2]};
    transpose(all, bytes, whole);
  }
}

}  // namespace

strided_pair::strided_pair(const strided& to_, const strided& from_, extents extent_)
    : to(to_), from(from_), extent(extent_) {
  const auto exchange = [this](std::size_t a, std::size_t b) {
    std::swap(extent[a], extent[b]);
    std::swap(to.step[a], to.step[b]);
    std::swap(from.step[a], from.step[b]);
  };
  const auto belongs_before = [this](std::size_t a, std::size_t b) {
    if (extent[a] == 1 || extent[b] == 1) return extent[a] == 1 && extent[b] != 1;
    return std::abs(to.step[a]) > std::abs(to.step[b]);
  };
  if (belongs_before(1, 0)) exchange(0, 1);
  if (belongs_before(2, 1)) exchange(1, 2);
  if (belongs_before(1, 0)) exchange(0, 1);
  for (int merged = 0; merged < 2; ++merged) {
    if (to.step[1] != to.step[2] * extent[2] || from.step[1] != from.step[2] * extent[2]) return;
    extent[2] *= extent[1];
    extent[1] = 1;
    exchange(0, 1);
  }
}

bool is_dense(const strided& all, const extents& extent, std::size_t bytes) {
  auto step = static_cast<std::int64_t>(bytes);
  for (std::size_t axis = 3; axis-- > 0; step *= extent[axis])
    if (extent[axis] != 1 && all.step[axis] != step) return false;
  return true;
}

void copy_strided(const strided& to, const strided& from, extents extent, std::size_t bytes,
                  amount whole) {
  if (extent[0] * extent[1] * extent[2] == 0) return;
  strided_pair both(to, from, extent);
  const auto step = static_cast<std::int64_t>(bytes);
  if (both.to.step[2] == step && both.from.step[2] == step) {
    const auto row_bytes = bytes * static_cast<std::size_t>(both.extent[2]);
    const bool streams = whole == amount::large && row_bytes >= k_smallest_streamed;
    both.for_each_row([=](std::byte* row, const std::byte* source) {
      if (streams)
        stream_bytes(row, source, row_bytes);
      else
        std::memcpy(row, source, row_bytes);
    });
    if (streams) stream_fence();
  } else if (is_transposition(both, step)) {
    copy_transposed(both, bytes, whole);
  } else {
    copy_elements(both, bytes);
  }
}

void fill_strided(const strided& to, extents extent, const std::byte* value, std::size_t bytes) {
  if (extent[0] * extent[1] * extent[2] == 0) return;
  const strided_pair all(to, to, extent);
  with_size(bytes, [&](auto size) {
    all.for_each_row([&](std::byte* row, const std::byte*) {
      for (std::int64_t k = 0; k < all.extent[2]; ++k)
        std::memcpy(row + k * all.to.step[2], value, size.bytes());
    });
  });
}

}  // namespace atl::regions
