#include "atoll/region/strided.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/base/stream_line.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace atl::regions {
namespace {

// Smallest size in bytes of a row that is copied by non-temporal stores, which bypass the caches.
// Shorter rows than `k_smallest_streamed` have too few complete cache lines.
constexpr std::size_t k_smallest_streamed = 1024;

/// The size of an element in bytes, as a type. The usual sizes of 4, 8 and 16 bytes are
/// compile-time constants, so that the compiler generates faster loops.
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

/// Returns true if the copy is a transposition: source and target are contiguous along different
/// dimensions. For a transposition, reorders the dimensions so that the source is contiguous along
/// dimension 1.
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

namespace {

// A transposition works on square tiles. Each row of a tile takes eight cache lines in the source
// and in the target. The processor prefetches neighbouring lines together, and the TLB has room for
// the pages of all rows of a tile. While a tile is transposed, data of the next tile are
// prefetched. Stores of large data bypass the caches, because cached lines of different rows would
// evict each other if the row length is a power of two.
constexpr auto k_line = static_cast<std::int64_t>(k_cache_line);
constexpr std::int64_t k_tile = 8 * k_line;

/// A range of rows and columns of the target matrix.
struct bounds {
  std::int64_t first_row, end_row, first_column, end_column;
};

void move_singly(const plane& all, const bounds& part, std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(bytes);
  for (std::int64_t j = part.first_row; j < part.end_row; ++j)
    for (std::int64_t k = part.first_column; k < part.end_column; ++k)
      std::memcpy(all.to + j * all.to_step + k * size, all.from + k * all.from_step + j * size,
                  bytes);
}

/// Transposes square blocks in registers. Each row of a block is one cache line.
template <std::size_t Bytes, amount Whole>
class block_mover {
 public:
  static constexpr std::int64_t k_side = k_line / static_cast<std::int64_t>(Bytes);

  static void move_tile(const plane& all, const bounds& part) {
    bounds whole = part;
    whole.end_row -= (part.end_row - part.first_row) % k_side;
    whole.end_column -= (part.end_column - part.first_column) % k_side;
    for (std::int64_t j = whole.first_row; j < whole.end_row; j += k_side)
      for (std::int64_t k = whole.first_column; k < whole.end_column; k += k_side)
        move_block(all.to + j * all.to_step + k * k_size, all.to_step,
                   all.from + k * all.from_step + j * k_size, all.from_step);
    move_singly(all, {part.first_row, whole.end_row, whole.end_column, part.end_column}, Bytes);
    move_singly(all, {whole.end_row, part.end_row, part.first_column, part.end_column}, Bytes);
  }

 private:
  static constexpr auto k_size = static_cast<std::int64_t>(Bytes);
  static constexpr auto k_elements = static_cast<std::size_t>(k_side);
  // Elements of 4 and 8 bytes are moved as floating-point numbers. With integers or bytes, g++ 12
  // would load the elements one by one, which takes three times as long.
  using element =
      std::conditional_t<Bytes == 4, float, std::conditional_t<Bytes == 8, double, uint128>>;
  struct alignas(k_cache_line) line {
    std::array<element, k_elements> elements;
  };

  static void move_block(std::byte* to, std::int64_t to_step, const std::byte* from,
                         std::int64_t from_step) {
    std::array<line, k_elements> lines;
    for (std::size_t k = 0; k < k_elements; ++k) {
      const std::byte* const row = from + static_cast<std::int64_t>(k) * from_step;
      __builtin_prefetch(row + k_tile);
      std::memcpy(&lines[k], row, k_cache_line);
    }
    for (std::size_t j = 0; j < k_elements; ++j) {
      line turned;
      for (std::size_t k = 0; k < k_elements; ++k) turned.elements[k] = lines[k].elements[j];
      std::byte* const row = to + static_cast<std::int64_t>(j) * to_step;
      if constexpr (Whole == amount::large)
        stream_line(row, reinterpret_cast<const std::byte*>(&turned));
      else
        std::memcpy(row, &turned, k_cache_line);
    }
  }
};

template <class Move>
void for_each_tile(const plane& all, std::int64_t first_column, std::int64_t side,
                   const Move& move) {
  for (std::int64_t k = first_column; k < all.columns; k += side)
    for (std::int64_t j = 0; j < all.rows; j += side)
      move(bounds{j, std::min(j + side, all.rows), k, std::min(k + side, all.columns)});
}

/// Returns the first column of the target that begins at a cache line in all rows. Returns -1 if
/// there is no such column.
std::int64_t columns_before_line(const plane& all, std::int64_t size) {
  const auto beyond =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(all.to) % k_cache_line);
  const std::int64_t missing = (k_line - beyond) % k_line;
  return all.to_step % k_line == 0 && missing % size == 0 ? missing / size : -1;
}

template <std::size_t Bytes>
void transpose_sized(const plane& all, amount whole) {
  constexpr auto size = static_cast<std::int64_t>(Bytes);
  const std::int64_t head = columns_before_line(all, size);
  if (head < 0 || whole == amount::cached) {
    return for_each_tile(all, 0, k_tile / size, [&all](const bounds& part) {
      block_mover<Bytes, amount::cached>::move_tile(all, part);
    });
  }
  move_singly(all, {0, all.rows, 0, std::min(head, all.columns)}, Bytes);
  for_each_tile(all, head, k_tile / size, [&all](const bounds& part) {
    block_mover<Bytes, amount::large>::move_tile(all, part);
  });
  stream_fence();
}

}  // namespace

void transpose(const plane& all, std::size_t bytes, amount whole) {
  switch (bytes) {
  case 4:
    return transpose_sized<4>(all, whole);
  case 8:
    return transpose_sized<8>(all, whole);
  case 16:
    return transpose_sized<16>(all, whole);
  default:
    const auto side = std::max<std::int64_t>(1, k_tile / static_cast<std::int64_t>(bytes));
    for_each_tile(all, 0, side, [&](const bounds& part) { move_singly(all, part, bytes); });
  }
}

}  // namespace atl::regions
