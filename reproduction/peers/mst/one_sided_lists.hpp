#pragma once
// Exchanges lists between processes by one-sided access to each other's memory. The library for
// one-sided access is a template parameter, Memory. The protocol is the protocol of
// src/atoll/kernels/mst/one_sided.hpp, but with blocking calls.
//
// The class Memory must have the following members. `pe` and `pes` return the rank of this process
// and the number of processes; `sum` adds values of all processes. `buffer` and `window` return
// memory of `bytes` bytes each. Other processes read the buffer and write the window. After
// `publish`, other processes can read the data of the buffer. `put_word` and `add` change a 64-bit
// word of another process, after all earlier accesses to that process. `wait` waits until a word of
// this process has at least a given value, and returns the word. `begin_get` begins to read another
// process's buffer. `put` begins to write another process's window. `complete` waits until gets and
// puts are complete.

#include "atoll/kernels/mst/lists.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "reproduction/peers/mst/immediate.hpp"

namespace bench::mst {

using atl::huge_vector;
using atl::kernels::mst::gathered;
using atl::kernels::mst::lists;
using atl::kernels::mst::nothing;

/// Indices of the words of a process. From index k_announced on, there is one word for each
/// process, in which that process announces its lists to this process.
enum word_place : std::size_t {
  k_readers,  ///< number of completed reads of the buffer since the start
  k_filled,   ///< number of bytes that were put into the window since the start
  k_windows,  ///< number of the last window that this process may fill
  k_announced
};

/// One process's object for exchanges of lists.
template <class Memory>
class one_sided_lists : public Memory {
 public:
  template <class... Arguments>
  explicit one_sided_lists(std::size_t chunks, Arguments... arguments)
      : Memory(arguments...),
        chunks_(chunks),
        announced_(static_cast<std::size_t>(pes())),
        heard_(announced_.size()) {}

  using Memory::pe;
  using Memory::pes;

  /// Sends each PE of `among` its list of `out`, and receives a list from each. Calls `apply(from,
  /// piece)` for each received piece. Pieces of one sender arrive in order. All PEs of `among` must
  /// call this function.
  template <class Item, class Apply, class Work = nothing>
  immediate<> all_pairs(const std::vector<int>& among, const lists<Item>& out, Apply& apply,
                        Work meanwhile = {}) {
    const auto self = std::ranges::find(among, pe());
    if (self == among.end()) co_return;
    if (among.size() == 1) co_return meanwhile();
    std::vector<outgoing<Item>> targets;
    std::vector<incoming> sources;
    const auto others = among.size() - 1;
    for (std::size_t i = 1; i <= others; ++i) {
      const auto at = (static_cast<std::size_t>(self - among.begin()) + i) % among.size();
      targets.push_back({among[at], out.of(among[at])});
      sources.push_back({among[at], others - i});
    }
    transfer(targets, sources, apply, meanwhile);
  }

  /// Sends the list `out` to PE `to`, and receives a list from PE `from`. Calls `apply(from,
  /// piece)` for each received piece.
  template <class Item, class Apply, class Work = nothing>
  immediate<> shift(int to, int from, std::span<const Item> out, Apply& apply,
                    Work meanwhile = {}) {
    transfer(std::vector<outgoing<Item>>(1, {to, out}), std::vector<incoming>(1, {from, 0}), apply,
             meanwhile);
    co_return;
  }

  /// Gathers the lists `out` of all `members` on the first member. Only the first member calls
  /// `meanwhile`. Every PE must call this function. A PE that is in no group passes empty
  /// `members`.
  template <class Item, class Work = nothing>
  immediate<gathered<Item>> gather(const std::vector<int>& members, std::span<const Item> out,
                                   Work meanwhile = {}) {
    std::vector<std::uint64_t> sizes(announced_.size());
    sizes[static_cast<std::size_t>(pe())] = out.size();
    sizes = co_await Memory::sum(std::move(sizes));
    const std::size_t most = Memory::bytes() / sizeof(Item);
    const std::uint64_t before = windows_;
    for (const std::uint64_t size : sizes) windows_ += size / most + 1;
    gathered<Item> all;
    if (members.size() < 2) co_return all;
    std::size_t own = 0;  // index of the first item of this PE among all items
    for (const int member : members) {
      if (member == pe()) own = all.begin.back();
      all.begin.push_back(all.begin.back() + sizes[static_cast<std::size_t>(member)]);
    }
    const std::size_t total = all.begin.back();
    if (members.front() == pe()) {
      all.items.resize(total);
      take_windows(members, std::span<Item>(all.items), before, meanwhile);
    } else {
      fill_windows(members.front(), out, own, total, before);
    }
    co_return all;
  }

 private:
  template <class Item>
  struct outgoing {
    int pe;
    std::span<const Item> items;
  };
  struct incoming {
    int pe;
    std::size_t place;  ///< index of the piece for this PE among the pieces in the buffer of `pe`
    std::size_t left = 0;
  };

  static constexpr int k_number_shift = 40;

  /// Sends a list to each of `targets`, and receives a list from each of `sources`. Lists that are
  /// larger than the buffer are sent in waves, and each process fills its buffer once in a wave.
  template <class Item, class Apply, class Work>
  void transfer(const std::vector<outgoing<Item>>& targets, std::vector<incoming> sources,
                Apply& apply, Work& meanwhile) {
    const std::size_t most = Memory::bytes() / targets.size() / sizeof(Item);
    bool offers = true;
    bool expects = true;
    bool has_worked = false;
    const auto work = [&] {
      if (!std::exchange(has_worked, true)) meanwhile();
    };
    for (std::size_t wave = 0; offers || expects; ++wave) {
      if (offers) offers = offer(targets, most, wave);
      expects = false;
      for (incoming& from : sources) {
        if (wave != 0 && from.left == 0) continue;
        from.left = hear(from.pe);
        const std::size_t items = std::min(most, from.left);
        fetch<Item>(from, most, items, apply, work);
        Memory::add(k_readers, from.pe, 1);
        from.left -= items;
        expects |= from.left != 0;
      }
    }
  }

  /// Waits until all processes have read the previous pieces, and copies the next piece of each
  /// list to the buffer. When the buffer is filled, announces to each target how many items are
  /// left. Returns true if further pieces follow.
  template <class Item>
  bool offer(const std::vector<outgoing<Item>>& targets, std::size_t most, std::size_t wave) {
    Memory::wait(k_readers, readers_);
    bool more = false;
    const std::size_t done = wave * most;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const auto left = rest(targets[t].items, done);
      const auto piece = std::as_bytes(left.first(std::min(most, left.size())));
      if (!piece.empty())
        std::memcpy(Memory::buffer() + t * most * sizeof(Item), piece.data(), piece.size());
      more |= left.size() > most;
    }
    Memory::publish();
    for (const auto& [pe, items] : targets) {
      if (wave != 0 && items.size() <= done) continue;
      const std::uint64_t number = ++announced_[static_cast<std::size_t>(pe)];
      ++readers_;
      Memory::put_word(k_announced + static_cast<std::size_t>(Memory::pe()), pe,
                       number << k_number_shift | rest(items, done).size());
    }
    return more;
  }

  template <class Item>
  static std::span<const Item> rest(std::span<const Item> items, std::size_t done) {
    return items.subspan(std::min(done, items.size()));
  }

  /// Waits for the next announcement of PE `from`. Returns the number of items that PE `from` has
  /// not yet sent to this PE.
  std::size_t hear(int from) {
    const auto index = static_cast<std::size_t>(from);
    const std::uint64_t number = ++heard_[index] << k_number_shift;
    return Memory::wait(k_announced + index, number) - number;
  }

  /// Reads a piece from another process's buffer in chunks. While one chunk is processed by
  /// `apply`, the next chunk is in flight.
  template <class Item, class Apply, class Work>
  void fetch(const incoming& from, std::size_t most, std::size_t items, Apply& apply,
             const Work& work) {
    const std::size_t chunk = (items + chunks_ - 1) / chunks_;
    huge_vector<Item> chunks[2];
    const auto ask_from = [&](std::size_t first) {
      auto& into = chunks[first / chunk % 2];
      into.resize(std::min(chunk, items - first));
      Memory::begin_get(std::as_writable_bytes(std::span(into)), from.pe,
                        (from.place * most + first) * sizeof(Item));
    };
    if (items != 0) ask_from(0);
    work();
    for (std::size_t first = 0; first < items; first += chunk) {
      Memory::complete(from.pe);
      if (first + chunk < items) ask_from(first + chunk);
      apply(from.pe, std::span<const Item>(chunks[first / chunk % 2]));
    }
  }

  /// Receives all gathered items in order. Members put the items into the window of this PE, one
  /// window full after another.
  template <class Item, class Work>
  void take_windows(const std::vector<int>& members, std::span<Item> all, std::uint64_t before,
                    Work& meanwhile) {
    const std::size_t most = Memory::bytes() / sizeof(Item);
    if (all.empty()) meanwhile();
    for (std::size_t first = 0; first < all.size(); first += most) {
      const auto piece = all.subspan(first, std::min(most, all.size() - first));
      for (const int member : members)
        if (member != pe()) Memory::put_word(k_windows, member, before + first / most + 1);
      if (first == 0) {
        // completes the puts of the words for which members wait
        for (const int member : members) Memory::complete(member);
        meanwhile();
      }
      filled_ += piece.size_bytes();
      Memory::wait(k_filled, filled_);
      std::memcpy(piece.data(), Memory::window(), piece.size_bytes());
    }
  }

  /// Puts the items of this PE into the window of the leader, the first member, one window full
  /// after another.
  template <class Item>
  void fill_windows(int leader, std::span<const Item> out, std::size_t own, std::size_t total,
                    std::uint64_t before) {
    const std::size_t most = Memory::bytes() / sizeof(Item);
    for (std::size_t first = 0; first < total; first += most) {
      // The loop waits until each window may be filled, even if this PE has no items for it. If the
      // loop did not wait, a late word of the present leader could overwrite a word of the next
      // leader.
      Memory::wait(k_windows, before + first / most + 1);
      const std::size_t from = std::max(first, own);
      const std::size_t to = std::min(std::min(total, first + most), own + out.size());
      if (from >= to) continue;
      const auto piece = std::as_bytes(out.subspan(from - own, to - from));
      Memory::put(leader, (from - first) * sizeof(Item), piece);
      Memory::complete(leader);
      Memory::add(k_filled, leader, piece.size());
    }
  }

  const std::size_t chunks_;
  std::vector<std::uint64_t> announced_;  // number of announcements to each PE
  std::vector<std::uint64_t> heard_;      // number of announcements received from each PE
  // number of reads of the buffer that this PE has announced so far
  std::uint64_t readers_ = 0;
  // number of bytes that other PEs should have put into the window so far
  std::uint64_t filled_ = 0;
  std::uint64_t windows_ = 0;  // upper bound for the number of windows of any PE so far
};

}  // namespace bench::mst
