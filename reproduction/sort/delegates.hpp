#pragma once
// Moving keys one by one: an asynchronous delegate stores each at the end of its bucket, on the PE
// that gets it, as IntSort does in J. Nelson and others, "Latency-Tolerant Software Distributed
// Shared Memory", USENIX ATC 2015.

#include "atoll/kernels/sort/run.hpp"

namespace atl::reproduction {

namespace sort = kernels::sort;

/// Where delegates store keys on a PE, by its pieces.
template <class Key>
struct key_cursors {
  std::vector<Key*> next;
  std::uint64_t first_bucket = 0;
  unsigned shift = 0;

  /// For keys that are divided, once their sizes are exchanged.
  void begin(const sort::key_part<Key>& mine, std::span<Key> received) {
    first_bucket = mine.parts.bucket_begin(my_pe());
    shift = mine.shape.shift();
    next.clear();
    for (const std::uint64_t begin : mine.begins) next.push_back(received.data() + begin);
  }

  /// Stores a key that a delegate has brought.
  void take(Key key) { *next[(key >> shift) - first_bucket]++ = key; }
};

/// Sends keys from the first on while there is room for their messages; returns how many. Not
/// inlined: in a coroutine its loop would find no registers.
template <class Key, class PieceOf>
[[gnu::noinline]] std::size_t send_while_room(per_pe<key_cursors<Key>> cursors,
                                              std::span<const Key> keys, const int* owners,
                                              PieceOf& piece_of) {
  constexpr std::size_t most_a_look = 64;  // at whether there is room
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
    atl::charge(work::key_counted, sent);  // its bucket is looked up alike
    left = left.subspan(sent);
    co_await room();
  }
}

/// The Move by delegates; a small value that travels.
template <class Key>
struct move_by_delegates {
  per_pe<key_cursors<Key>> cursors;

  /// All keys are where they go when it returns.
  task<> all_move(sort::keys_of_all<Key> all) const {
    sort::key_part<Key>& mine = all.parts.local();
    co_await sort::all_lay_out(mine);
    cursors->begin(mine, all.received.local());
    (void)co_await all_to_all(mine.places);  // then all PEs are ready
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
    atl::charge(work::key_appended, mine.size());  // what delegates store here, all in all
    co_await all_barrier();
  }
};

}  // namespace atl::reproduction

// Compiled once for each width of keys, in delegates.cpp.
#define ATOLL_SORT_BY_DELEGATES(kind)                                                              \
  namespace atl::kernels::sort {                                                                   \
  ATOLL_SORT_RUN_BY(kind, std::uint32_t, reproduction::move_by_delegates<std::uint32_t>)           \
  ATOLL_SORT_RUN_BY(kind, std::uint64_t, reproduction::move_by_delegates<std::uint64_t>)           \
  }
ATOLL_SORT_BY_DELEGATES(extern)
