#pragma once

#include "atoll/region/transfer.hpp"

namespace atl::regions {

/// The points, which are in one block of this PE.
template <std::size_t N, class T>
task<> fill_block(field_part<N> to, rectangle<N> points, T value, site where) {
  const slices<N> parts(points, k_slice_bytes / sizeof(T));
  for (std::uint64_t k = 0; k < parts.size(); ++k) {
    std::byte* const memory = instance_table::here().memory_of(to.field.instance, my_pe(), where);
    charge(work::byte_copied, parts[k].volume() * sizeof(T));
    fill_strided(to.in_memory(parts[k], memory), all_extents(parts[k]),
                 reinterpret_cast<const std::byte*>(&value), sizeof(T));
    if (parts.size() > 1) co_await yield(where);
  }
}

template <std::size_t N, class T>
task<> ask_owners_to_fill(field_part<N> to, T value, site where) {
  std::vector<rectangle<N>> blocks;
  to.for_each_block(rectangle_of(to.extents()),
                    [&](const rectangle<N>& points) { blocks.push_back(points); });
  for (const rectangle<N>& points : blocks) {
    const auto fill_there = [to, points, value, place = transport::travelling_site(where)] {
      return fill_block(to, points, value, place);
    };
    async_call(to.owner_of(points), fill_there, where);
    co_await room(where);
  }
}

template <std::size_t N, class T>
task<> fill(field_part<N> to, T value, site where) {
  const auto ask = [&] { return ask_owners_to_fill(to, value, where); };
  co_await write_or_poison(to.field, ask, where);
}

}  // namespace atl::regions
