#pragma once
// The keys of a PE before, during and after a sort.

#include "atoll/atoll.hpp"
#include "atoll/kernels/sort/cuts.hpp"
#include "atoll/kernels/sort/keys_of_all.hpp"
#include "atoll/local_memory.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace atl::kernels::sort {

/// A number for each piece of a PE, by PE or by source.
using numbers_of_pieces = std::vector<std::vector<std::uint64_t>>;

template <class Key>
struct key_part {
  huge_vector<Key> keys;    ///< the input; sorting leaves it as it is
  std::uint64_t first = 0;  ///< number of the first of these keys among the keys of all PEs

  key_shape shape;
  division parts;
  std::optional<cut_pieces> cuts;     ///< where buckets are cut
  std::vector<std::uint64_t> counts;  ///< keys of this PE, by piece
  std::vector<int> owners;            ///< by piece
  std::vector<Key*> next;             ///< by piece, destination of this PE's next key
  huge_vector<Key> staged;            ///< keys on their way to memory of other nodes
  /// If PEs have fewer keys of a piece on average, keys for other nodes are sent together.
  std::uint64_t fewest_put = 1024;

  std::vector<std::uint64_t> begins;  ///< by own piece, among the keys received, and their end
  numbers_of_pieces places;           ///< by source and own piece, index of its first key
  std::vector<std::size_t> narrow_sources;  ///< sources that send only the lowest bits
  huge_vector<std::uint32_t> ranks;         ///< by value, from that of the first own bucket on
  huge_vector<Key> sorted;                  ///< whole keys, if requested
  bool is_sorted = false;                   ///< `sorted` has the keys received last

  std::uint64_t size() const { return begins.empty() ? 0 : begins.back(); }
  std::size_t own_pieces() const { return begins.size() - 1; }
  std::uint64_t size_of(std::size_t own_piece) const {
    return begins[own_piece + 1] - begins[own_piece];
  }

  /// Returns the keys of this PE in order, after a sort.
  std::span<const Key> in_order() const { return {sorted.data(), size()}; }

  /// Returns the number of keys of all PEs before those of this PE, once they are divided.
  std::uint64_t rank_of_first() const { return parts.begin_of(my_pe()).rank; }

  /// Returns the number of smaller keys of all PEs. Call it on the PE that owns the key, once the
  /// keys are sorted or ranks are known.
  std::uint64_t rank_of(std::uint64_t key) const {
    if (is_sorted) {
      const auto place = std::ranges::lower_bound(in_order(), static_cast<Key>(key));
      return rank_of_first() + static_cast<std::uint64_t>(place - in_order().begin());
    }
    const std::uint64_t smallest = parts.bucket_begin(my_pe()) << shape.shift();
    return rank_of_first() + ranks[key - smallest];
  }
};

/// Returns the shape of buckets. There are enough buckets that PEs differ little, and few enough
/// that their ends stay in the cache. A table with a place for each value of a bucket stays in the
/// cache as well, if possible.
inline key_shape shape_for(unsigned bits, int pes) {
  constexpr unsigned fewest = 9, most = 11, table_bits = 13;
  const unsigned for_pes = 6 + ceil_log2(static_cast<std::uint64_t>(pes));
  const unsigned for_tables = bits > table_bits ? bits - table_bits : 0;
  const unsigned wanted = std::clamp(for_tables, fewest, most);
  return {bits, std::min(bits, std::max(wanted, for_pes))};
}

template <class Key>
task<keys_of_all<Key>> keys_of_all<Key>::make(std::uint64_t keys, unsigned bits) {
  keys_of_all made;
  made.received = co_await make_symmetric_array<Key>(
      division::most_of_pe(keys, static_cast<std::uint64_t>(pes())));
  made.parts = co_await per_pe<key_part<Key>>::make();
  co_await on_all_pes([parts = made.parts, bits] { parts->shape = shape_for(bits, pes()); });
  co_return made;
}

template <class Key>
task<> keys_of_all<Key>::destroy() const {
  co_await received.destroy();
  co_await parts.destroy();
}

}  // namespace atl::kernels::sort
