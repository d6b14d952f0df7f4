#pragma once
// Moves keys one by one. For each key, an asynchronous delegate (a message with a function) stores
// the key at the end of its bucket, on the PE that owns the bucket. The benchmark IntSort also
// moves keys one by one (J. Nelson and others, "Latency-Tolerant Software Distributed Shared
// Memory", USENIX ATC 2015).

#include "atoll/kernels/sort/run.hpp"
#include "atoll/sort.hpp"

namespace atl::reproduction {

namespace sort = kernels::sort;

/// The addresses on a PE at which delegates store their next keys. There is one address for each
/// bucket of the PE, or for each part of a bucket.
template <class Key>
struct key_cursors {
  std::vector<Key*> next;
  std::uint64_t first_bucket = 0;
  unsigned shift = 0;

  /// Sets the addresses. Call this function after the keys are divided into buckets and the sizes
  /// of buckets are exchanged.
  void begin(const sort::key_part<Key>& mine, std::span<Key> received) {
    first_bucket = mine.parts.bucket_begin(my_pe());
    shift = mine.shape.shift();
    next.clear();
    for (const std::uint64_t begin : mine.begins) next.push_back(received.data() + begin);
  }

  /// Appends `key`, which has arrived in a message, to the bucket of the key.
  void take(Key key) { *next[(key >> shift) - first_bucket]++ = key; }
};

/// Sends keys, beginning with the first, until message buffers are full. Returns the number of sent
/// keys. The function must not be inlined into a coroutine: variables of a coroutine lie in memory,
/// whereas variables of a function can stay in registers.
template <class Key, class PieceOf>
[[gnu::noinline]] std::size_t send_while_room(per_pe<key_cursors<Key>> cursors,
                                              std::span<const Key> keys, const int* owners,
                                              PieceOf& piece_of) {
  // number of keys sent between two checks whether buffers are full
  constexpr std::size_t most_a_look = 64;
  std::size_t sent = 0;
  while (sent < keys.size() && has_room()) {
    for (const auto stop = std::min(keys.size(), sent + most_a_look); sent < stop; ++sent) {
      const Key key = keys[sent];
      cursors.async_update(owners[piece_of(key)],
                           leaf([key](key_cursors<Key>& there) noexcept { there.take(key); }));
    }
  }
  return sent;
}

template <class Key, class PieceOf>
task<> send_keys(const sort::key_part<Key>& mine, per_pe<key_cursors<Key>> cursors,
                 PieceOf& piece_of) {
  for (std::span<const Key> left(mine.keys); !left.empty();) {
    const std::size_t sent = send_while_room(cursors, left, mine.owners.data(), piece_of);
    // looking up a key's bucket costs as much as counting a key
    atl::charge(work::key_counted, sent);
    left = left.subspan(sent);
    co_await room();
  }
}

/// A function object that moves all keys by delegates. The object is sent to all PEs.
template <class Key>
struct move_by_delegates {
  per_pe<key_cursors<Key>> cursors;

  /// Moves all keys. When the awaited call returns, each key is on the PE that owns its bucket.
  task<> all_move(sort::keys_of_all<Key> all) const {
    sort::key_part<Key>& mine = all.parts.local();
    co_await sort::all_lay_out(mine);
    cursors->begin(mine, all.received.local());
    // after this exchange, all PEs are ready to receive keys
    (void)co_await all_to_all(mine.places);
    const auto send = [&]() -> task<> {
      if (mine.cuts) {
        mine.cuts->begin();
        co_await send_keys(mine, cursors, *mine.cuts);
      } else {
        const auto bucket_of = [shift = mine.shape.shift()](Key key) { return key >> shift; };
        co_await send_keys(mine, cursors, bucket_of);
      }
    };
    co_await finish(send);
    atl::charge(work::key_appended, mine.size());  // the keys that delegates have stored on this PE
    co_await all_barrier();
  }
};

/// The sort by delegates, with the interface of `bench::integer_sort::of_library`, so that the same
/// benchmark can measure both.
struct by_delegates {
  per_pe<key_cursors<std::uint32_t>> narrow;
  per_pe<key_cursors<std::uint64_t>> wide;

  /// One task of the job calls this function.
  static task<by_delegates> make() {
    by_delegates made;
    made.narrow = co_await per_pe<key_cursors<std::uint32_t>>::make();
    made.wide = co_await per_pe<key_cursors<std::uint64_t>>::make();
    co_return made;
  }
  task<> destroy() const {
    const by_delegates self = *this;
    co_await self.narrow.destroy();
    co_await self.wide.destroy();
  }

  move_by_delegates<std::uint32_t> move(sort::keys_of_all<std::uint32_t>) const { return {narrow}; }
  move_by_delegates<std::uint64_t> move(sort::keys_of_all<std::uint64_t>) const { return {wide}; }

  task<> all_sort(global_keys keys) const {
    return keys.on_width([&](auto all) { return sort::all_sort(all, move(all)); });
  }
  task<sort::known_ranks> all_rank(global_keys keys, std::span<const std::uint64_t> indices) const {
    return keys.on_width([&](auto all) { return sort::all_rank(all, indices, move(all)); });
  }
};

}  // namespace atl::reproduction

// The templates are compiled once for keys of 32 bits and of 64 bits, in delegates.cpp.
#define ATOLL_SORT_BY_DELEGATES(kind)                                                              \
  namespace atl::kernels::sort {                                                                   \
  ATOLL_SORT_BY(kind, std::uint32_t, reproduction::move_by_delegates<std::uint32_t>)               \
  ATOLL_SORT_BY(kind, std::uint64_t, reproduction::move_by_delegates<std::uint64_t>)               \
  }
ATOLL_SORT_BY_DELEGATES(extern)
