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

/// Lists of numbers, one list per PE. A list has one number per piece, which is one PE's part of a
/// bucket.
using numbers_of_pieces = std::vector<std::vector<std::uint64_t>>;

template <class Key>
struct key_part {
  huge_vector<Key> keys;    ///< this PE's keys of the input, which sorting does not change
  std::uint64_t first = 0;  ///< number of the first element of `keys` in the input of all PEs

  key_shape shape;
  division parts;
  std::optional<cut_pieces>
      cuts;  ///< borders of PEs within buckets; empty if all borders lie between buckets
  std::vector<std::uint64_t>
      counts;               ///< for each piece (part of a bucket): number of this PE's keys
  std::vector<int> owners;  ///< indexed by piece
  std::vector<Key*> next;   ///< for each piece: destination of this PE's next key
  huge_vector<Key> staged;  ///< keys for PEs of other nodes, before they are sent
  /// If the average number of a PE's keys per piece (part of a bucket) is below `fewest_put`, all
  /// keys for one PE are sent together.
  std::uint64_t fewest_put = 1024;

  /// For each own piece (this PE's part of a bucket): index of its first received key. The last
  /// element is the number of all received keys.
  std::vector<std::uint64_t> begins;
  /// For each source PE and each piece (this PE's part of a bucket): index at which the keys from
  /// the source PE begin.
  numbers_of_pieces places;
  std::vector<std::size_t> narrow_sources;  ///< PEs that send only the lowest bits of keys
  /// For each possible value of a key in the own buckets: number of this PE's received keys that
  /// are smaller.
  huge_vector<std::uint32_t> ranks;
  huge_vector<Key> sorted;  ///< all keys in ascending order, if requested
  bool is_sorted = false;   ///< whether `sorted` has the keys that were received last

  std::uint64_t size() const { return begins.empty() ? 0 : begins.back(); }
  std::size_t own_pieces() const { return begins.size() - 1; }
  std::uint64_t size_of(std::size_t own_piece) const {
    return begins[own_piece + 1] - begins[own_piece];
  }

  /// Returns the keys of this PE in order, after a sort.
  std::span<const Key> in_order() const { return {sorted.data(), size()}; }

  /// Returns the rank of this PE's first key among the keys of all PEs. The caller must call this
  /// function after the keys were divided.
  std::uint64_t rank_of_first() const { return parts.begin_of(my_pe()).rank; }

  /// Returns the number of keys of all PEs that are smaller than `key`. The caller must be on the
  /// PE that owns the key, after the keys were sorted or ranked.
  std::uint64_t rank_of(std::uint64_t key) const {
    if (is_sorted) {
      const auto place = std::ranges::lower_bound(in_order(), static_cast<Key>(key));
      return rank_of_first() + static_cast<std::uint64_t>(place - in_order().begin());
    }
    const std::uint64_t smallest = parts.bucket_begin(my_pe()) << shape.shift();
    return rank_of_first() + ranks[key - smallest];
  }
};

/// Returns a good shape of buckets for keys of `bits` bits on `pes` PEs. Many buckets give PEs
/// nearly equal numbers of keys. If buckets are few, the places where the next keys go stay in the
/// cache. If possible, a table with a counter per value of a bucket fits into the cache, too.
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
