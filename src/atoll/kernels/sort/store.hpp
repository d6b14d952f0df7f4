#pragma once
// Where keys are to go, and storing them there.

#include "atoll/kernels/sort/count.hpp"
#include "atoll/kernels/sort/narrow.hpp"

#include <utility>

namespace atl::kernels::sort {

/// Gives each source a place for its keys of each own piece: pieces in order, and in each the
/// sources in order. Returns them by source, and sets where the pieces begin.
template <class Key, class Count>
numbers_of_pieces lay_out(key_part<Key>& mine, const received_parts<Count>& sizes) {
  numbers_of_pieces counts;
  for (const auto of_source : sizes) counts.emplace_back(of_source.begin(), of_source.end());
  const std::size_t pieces = counts.front().size();
  mine.begins.assign(pieces + 1, 0);
  std::uint64_t at = 0;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    mine.begins[piece] = at;
    for (auto& of_source : counts) at += std::exchange(of_source[piece], at);
  }
  mine.begins[pieces] = at;
  return counts;
}

/// Stores every key where the next of its piece goes. Stores become visible in order, so that one
/// whose line is not here would hold up all behind it: the line after it is fetched long before.
template <class Key, class PieceOf>
[[gnu::noinline]] void store_keys(std::span<const Key> keys, PieceOf& piece_of, Key** next) {
  constexpr std::size_t line = 64 / sizeof(Key);
  for (const Key each : keys) {
    Key*& to = next[piece_of(each)];
    *to = each;
    __builtin_prefetch(to + line, 1);
    ++to;
  }
}

template <class Key>
task<> store_all_keys(key_part<Key>& mine) {
  const std::span<const Key> keys(mine.keys);
  Key** const next = mine.next.data();
  const auto bucket_of = [shift = mine.shape.shift()](Key key) { return key >> shift; };
  if (mine.cuts) mine.cuts->begin();
  co_await in_stretches(keys, [&](std::span<const Key> some) {
    if (mine.cuts)
      store_keys(some, *mine.cuts, next);
    else
      store_keys(some, bucket_of, next);
  });
  atl::charge(work::key_placed, keys.size());
}

}  // namespace atl::kernels::sort
