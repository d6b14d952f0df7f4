#pragma once
// Moves keys one by one. For each key, an asynchronous delegate stores the key at the end of its
// bucket, on the PE that owns the bucket. IntSort does so (J. Nelson and others, "Latency-Tolerant
// Software Distributed Shared Memory", USENIX ATC 2015).

#include "atoll/kernels/sort/run.hpp"
#include "atoll/sort.hpp"

namespace atl::reproduction {

namespace sort = kernels::sort;

/// The addresses on a PE at which delegates store the next keys, one address per bucket or part of
/// a bucket.
template <class Key>
struct key_cursors {
  std::vector<Key*> next;
  std::uint64_t first_bucket = 0;
  unsigned shift = 0;

  /// Sets the addresses. Call it after keys are divided and sizes are exchanged.
  void begin(const sort::key_part<Key>& mine, std::span<Key> received) {
    first_bucket = mine.parts.bucket_begin(my_pe());
    shift = mine.shape.shift();
    next.clear();
    for (const std::uint64_t begin : mine.begins) next.push_back(received.data() + begin);
  }

  /// Stores the key of a delegate.
  void take(Key key) { *next[(key >> shift) - first_bucket]++ = key; }
};

/// Sends keys, beginning with the first, as long as there is space for messages. Returns the number
/// of sent keys. The function is not inlined, because the variables of a loop within a coroutine
/// would not be in registers.
template <class Key, class PieceOf>
[[gnu::noinline]] std::size_t send_while_room(per_pe<key_cursors<Key>> cursors,
                                              std::span<const Key> keys, const int* owners,
                                              PieceOf& piece_of) {
  constexpr std::size_t most_a_look = 64;  // keys sent between two checks for room
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
    atl::charge(work::key_counted, sent);  // looking up the bucket costs as much as counting a key
    left = left.subspan(sent);
    co_await room();
  }
}

/// The step that moves keys, by delegates. The object is a small value, which is sent to all PEs.
template <class Key>
struct move_by_delegates {
  per_pe<key_cursors<Key>> cursors;

  /// Moves all keys. When the call returns, each key is on the PE that owns its bucket.
  task<> all_move(sort::keys_of_all<Key> all) const {
    sort::key_part<Key>& mine = all.parts.local();
    co_await sort::all_lay_out(mine);
    cursors->begin(mine, all.received.local());
    (void)co_await all_to_all(mine.places);  // after this exchange all PEs are ready
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
    atl::charge(work::key_appended, mine.size());  // all keys that delegates store on this PE
    co_await all_barrier();
  }
};

/// The sort by delegates, in the form of `bench::integer_sort::of_library`.
struct by_delegates {
  per_pe<key_cursors<std::uint32_t>> narrow;
  per_pe<key_cursors<std::uint64_t>> wide;

  /// One task calls it.
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

// The templates are compiled once for each width of keys, in delegates.cpp.
#define ATOLL_SORT_BY_DELEGATES(kind)                                                              \
  namespace atl::kernels::sort {                                                                   \
  ATOLL_SORT_BY(kind, std::uint32_t, reproduction::move_by_delegates<std::uint32_t>)               \
  ATOLL_SORT_BY(kind, std::uint64_t, reproduction::move_by_delegates<std::uint64_t>)               \
  }
ATOLL_SORT_BY_DELEGATES(extern)
