#pragma once
// Index spaces cut into parts: by blocks, or by the colour of each point.

#include "atoll/region/block_grid.hpp"
#include "atoll/region/index_space.hpp"

namespace atl {

/// The points of `all` in each block of these extents, which begin at the lowest corner of its
/// bounds; in the order of the blocks, the last dimension running fastest. Empty parts are there.
/// Throws atl::error (input) where an extent is not positive.
template <std::size_t N>
std::vector<index_space<N>> partition_by_blocks(const index_space<N>& all, const point<N>& block) {
  for (const std::int64_t extent : block) regions::check_block(extent, 1);
  const regions::block_grid<N> grid{all.bounds(), block};
  std::vector<index_space<N>> parts;
  regions::for_each_point(rectangle_of(grid.blocks()), [&](const point<N>& which) {
    parts.push_back(all & index_space<N>(grid.points_of(which)));
  });
  return parts;
}

namespace regions {

/// The parts of a rectangle by colour, where `color_of` has the coordinates that are left.
template <std::size_t N, class Color>
std::vector<index_space<N>> parts_by_color(const rectangle<N>& points, std::size_t colors,
                                           const Color& color_of) {
  std::vector<index_space<N>> parts(colors);
  for (std::int64_t at = points.low[0]; at < points.high[0]; ++at) {
    if constexpr (N == 1) {
      const auto color = static_cast<std::size_t>(color_of(point<1>{at}));
      if (color < colors) parts[color].append(at, at + 1, index_space<0>(true));
    } else {
      rectangle<N - 1> inner;
      std::copy(points.low.begin() + 1, points.low.end(), inner.low.begin());
      std::copy(points.high.begin() + 1, points.high.end(), inner.high.begin());
      const auto with_this = [&](const point<N - 1>& rest) {
        point<N> whole{at};
        std::copy(rest.begin(), rest.end(), whole.begin() + 1);
        return color_of(whole);
      };
      auto sections = parts_by_color(inner, colors, with_this);
      for (std::size_t color = 0; color < colors; ++color)
        parts[color].append(at, at + 1, std::move(sections[color]));
    }
  }
  return parts;
}

}  // namespace regions

/// The points of `all` by `color_of(point)`, a number below `colors`; points of other colours are
/// in no part. Looks at each point once.
template <std::size_t N, class Color>
std::vector<index_space<N>> partition_by_color(const index_space<N>& all, std::size_t colors,
                                               const Color& color_of) {
  std::vector<index_space<N>> parts(colors);
  all.for_each_rectangle([&](const rectangle<N>& each) {
    const auto of_each = regions::parts_by_color(each, colors, color_of);
    for (std::size_t color = 0; color < colors; ++color)
      parts[color] = parts[color] | of_each[color];
  });
  return parts;
}

}  // namespace atl
