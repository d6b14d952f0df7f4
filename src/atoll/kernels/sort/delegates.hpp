#pragma once
// Moving keys one by one: an asynchronous delegate stores each at the end of its bucket, on the PE
// that gets it, as IntSort of the Grappa paper does.

#include "atoll/kernels/sort/exchange.hpp"

namespace atl::kernels::sort {

/// Sends keys from `begin` on while there is room for their messages; returns how many. Not
/// inlined: in a coroutine its loop would find no registers.
template <class Key, class PieceOf>
[[gnu::noinline]] std::size_t send_while_room(per_pe<key_part<Key>> parts,
                                              std::span<const Key> keys, const int* owners,
                                              PieceOf& piece_of) {
  constexpr std::size_t most_a_look = 64;  // at whether there is room
  std::size_t sent = 0;
  while (sent < keys.size() && has_room()) {
    for (const auto stop = std::min(keys.size(), sent + most_a_look); sent < stop; ++sent) {
      const Key key = keys[sent];
      parts.async_update(owners[piece_of(key)],
                         leaf([key](key_part<Key>& there) noexcept { there.take(key); }));
    }
  }
  return sent;
}

template <class Key, class PieceOf>
task<> send_keys(per_pe<key_part<Key>> parts, PieceOf& piece_of) {
  const key_part<Key>& mine = parts.local();
  for (std::span<const Key> left(mine.keys); !left.empty();) {
    const std::size_t sent = send_while_room(parts, left, mine.owners.data(), piece_of);
    atl::charge(work::key_counted, sent);  // its bucket is looked up alike
    left = left.subspan(sent);
    co_await room();
  }
}

/// Every PE calls it, once the keys are divided. All keys are where they go when it returns.
template <class Key>
task<> all_delegate(per_pe<key_part<Key>> parts, symmetric_array<Key> received) {
  key_part<Key>& mine = parts.local();
  (void)co_await all_exchange_sizes(mine, received.local());
  const auto send = [&]() -> task<> {
    if (mine.cuts) {
      mine.cuts->begin();
      co_await send_keys(parts, *mine.cuts);
    } else {
      const auto bucket_of = [shift = mine.shape.shift()](Key key) { return key >> shift; };
      co_await send_keys(parts, bucket_of);
    }
  };
  co_await finish(send);
  atl::charge(work::key_appended, mine.size());  // what delegates store here, all in all
  co_await all_barrier();
}

}  // namespace atl::kernels::sort
