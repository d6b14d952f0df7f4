#pragma once
// This file has an Exchange, a class that transfers lists between PEs (exchange.hpp), by one-sided
// access. A sender announces a list by a store into a word of the receiver. The word contains the
// size of the list and the number of the announcement. No word is ever reset, because the numbers
// of announcements grow. The receiver fetches the list in chunks, and processes each chunk while
// the next chunks are in flight. The receiver then increments a counter in the memory of the
// sender. The sender changes its buffer only after all receivers have incremented the counter.

#include "atoll/kernels/mst/exchange.hpp"
#include "atoll/kernels/mst/part.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/symmetric_array.hpp"
#include "atoll/symmetric_collectives.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

namespace atl::kernels::mst {

/// Returns the usual size in bytes of the buffer of a PE, for a graph of `edges` edges on `pes`
/// PEs. Lists that do not fit into the buffer are sent in waves, and each wave fills the buffer
/// once.
inline std::uint64_t usual_exchange_bytes(std::uint64_t edges, double pes) {
  constexpr double least = 256 << 10, most = 16 << 20;
  const double edges_of_pe = static_cast<double>(edges) / pes;
  const double quarter = edges_of_pe * sizeof(edge_record<std::uint32_t>) / 4;
  return static_cast<std::uint64_t>(std::clamp(quarter, least, most)) / 64 * 64;
}

/// The symmetric memory that an exchange uses. One task calls `make`.
struct one_sided_memory {
  /// One word per sender. The high bits of a word have the number of the sender's announcements to
  /// this PE so far. The low bits of a word have the number of items that the sender still has for
  /// this PE.
  symmetric_array<std::uint64_t> announced;
  /// Number of times that other PEs have finished reading `buffer`, since the start.
  symmetric_array<std::uint64_t> readers;
  symmetric_array<std::byte> buffer;  ///< items of this PE that other PEs read
  /// Number of bytes that other PEs have put into `window`, since the start.
  symmetric_array<std::uint64_t> filled;
  /// Number of the newest window (range of the gathered items) for which the leader has asked.
  symmetric_array<std::uint64_t> windows;
  symmetric_array<std::byte> window;  ///< on a leader: items that members have put here

  static task<one_sided_memory> make(std::uint64_t buffer_bytes) {
    one_sided_memory made;
    const auto all = static_cast<std::uint64_t>(pes());
    made.announced = co_await make_symmetric_array<std::uint64_t>(all);
    made.readers = co_await make_symmetric_array<std::uint64_t>(1);
    made.buffer = co_await make_symmetric_array<std::byte>(buffer_bytes);
    made.filled = co_await make_symmetric_array<std::uint64_t>(1);
    made.windows = co_await make_symmetric_array<std::uint64_t>(1);
    made.window = co_await make_symmetric_array<std::byte>(buffer_bytes);
    co_return made;
  }

  task<> destroy() const {
    co_await announced.destroy();
    co_await readers.destroy();
    co_await buffer.destroy();
    co_await filled.destroy();
    co_await windows.destroy();
    co_await window.destroy();
  }
};

/// The Exchange of one PE, which transfers lists between this PE and other PEs. Each PE must make
/// only one Exchange for a `one_sided_memory`, but can use this Exchange for any number of runs.
class one_sided_exchange : public exchange_basis {
 public:
  one_sided_exchange(const one_sided_memory& memory, int chunks)
      : memory_(memory),
        chunks_(static_cast<std::size_t>(chunks)),
        announced_(static_cast<std::size_t>(pes())),
        heard_(announced_.size()) {}

  /// Waits until all PEs have completed their accesses to the memory of exchanges.
  static task<void> barrier() {
    co_await one_sided::quiet();
    co_await all_barrier();
  }

  /// Sends a list to each other PE of `among`, and receives a list from each of these PEs. Calls
  /// `apply(from, piece)` for each received piece, which is a range of the list of PE `from`. The
  /// pieces of one sender come in order. All PEs of `among` call this function.
  template <class Item, class Apply, class Work = nothing>
  task<void> all_pairs(const std::vector<int>& among, const lists<Item>& out, Apply& apply,
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
    co_await transfer(targets, sources, apply, meanwhile);
  }

  /// Sends the list `out` to PE `to`, and receives a list from PE `from`.
  template <class Item, class Apply, class Work = nothing>
  task<void> shift(int to, int from, std::span<const Item> out, Apply& apply, Work meanwhile = {}) {
    const std::vector<outgoing<Item>> targets(1, {to, out});
    const std::vector<incoming> sources(1, {from, 0});
    co_await transfer(targets, sources, apply, meanwhile);
  }

  /// Sends the lists of all `members` to the first member, the leader. Only the leader calls
  /// `meanwhile`. Every PE calls this function. A PE without a group passes no members.
  template <class Item, class Work = nothing>
  task<gathered<Item>> gather(const std::vector<int>& members, std::span<const Item> out,
                              Work meanwhile = {});

 private:
  template <class Item>
  struct outgoing {
    int pe;
    std::span<const Item> items;
  };
  struct incoming {
    int pe;
    std::size_t place;  ///< index of this PE's piece (a range of a list) among the pieces in the
                        ///< buffer of `pe`
    std::size_t left = 0;
  };

  /// A piece (a range of a list) that is being fetched in smaller ranges, the chunks.
  template <class Item>
  struct fetched {
    int from;
    huge_vector<Item> items;
    std::vector<std::span<Item>> chunks;
    std::vector<one_sided::moment> begun;
  };

  /// One filling of the window, the leader's memory for gathered items. The window gets the
  /// gathered items with the indexes from `first` to `end` - 1.
  struct window {
    std::uint64_t number;
    std::size_t first;
    std::size_t end;
  };

  static constexpr int k_number_shift = 40;
  /// Smallest size in bytes of a chunk, the range of a list that is fetched by one request. A
  /// smaller chunk would take as long, because each chunk arrives in a message of its own.
  static constexpr std::size_t k_least_chunk_bytes = 4096;
  /// Number of pieces (ranges of lists) that may be in flight while this PE processes another
  /// piece.
  static constexpr std::size_t k_pieces_ahead = 8;

  template <class Item, class Apply, class Work>
  task<void> transfer(const std::vector<outgoing<Item>>& targets, std::vector<incoming> sources,
                      Apply& apply, Work& meanwhile);
  template <class Item>
  task<bool> offer(const std::vector<outgoing<Item>>& targets, std::size_t most, std::size_t wave);
  template <class Item>
  fetched<Item> begin_fetch(const incoming& from, std::size_t most, std::size_t items);
  template <class Item, class Apply>
  task<void> finish_fetch(fetched<Item>& piece, Apply& apply);
  void open_window(const std::vector<int>& members, const window& now);
  template <class Item>
  task<void> receive_window(const window& now, huge_vector<Item>& into);
  template <class Item>
  task<void> fill_window(int leader, const window& now, std::size_t own, std::span<const Item> out);
  template <class Work>
  static task<void> work(Work& meanwhile);
  task<std::size_t> hear(int from);
  task<void> all_have_read();

  const one_sided_memory memory_;
  const std::size_t chunks_;
  std::vector<std::uint64_t> announced_;  // number of announcements to each PE
  std::vector<std::uint64_t> heard_;      // number of announcements received from each PE
  std::uint64_t readers_ =
      0;  // number of announced pieces (ranges of lists in the buffer); each piece is read once
  std::uint64_t filled_ = 0;  // total number of bytes expected in the window since the start
  std::uint64_t windows_ =
      0;  // upper bound of how often leaders have filled their windows since the start
};

// Lists that are larger than the buffer are sent in waves: each wave fills the buffer once.
template <class Item, class Apply, class Work>
task<void> one_sided_exchange::transfer(const std::vector<outgoing<Item>>& targets,
                                        std::vector<incoming> sources, Apply& apply,
                                        Work& meanwhile) {
  const std::size_t most = memory_.buffer.size() / targets.size() / sizeof(Item);
  bool offers = true;
  bool expects = true;
  std::deque<fetched<Item>> pieces;
  bool has_worked = false;
  for (std::size_t wave = 0; offers || expects; ++wave) {
    if (offers) offers = co_await offer(targets, most, wave);
    expects = false;
    for (incoming& from : sources) {
      if (wave != 0 && from.left == 0) continue;
      from.left = co_await hear(from.pe);
      const std::size_t items = std::min(most, from.left);
      pieces.push_back(begin_fetch<Item>(from, most, items));
      from.left -= items;
      expects |= from.left != 0;
      if (pieces.size() <= k_pieces_ahead) continue;
      if (!std::exchange(has_worked, true)) co_await work(meanwhile);
      co_await finish_fetch(pieces.front(), apply);
      pieces.pop_front();
    }
    if (!std::exchange(has_worked, true)) co_await work(meanwhile);
    for (; !pieces.empty(); pieces.pop_front()) co_await finish_fetch(pieces.front(), apply);
  }
}

/// Copies the next piece of each list into the buffer, and announces the number of items that are
/// left. Returns true if further pieces follow.
template <class Item>
task<bool> one_sided_exchange::offer(const std::vector<outgoing<Item>>& targets, std::size_t most,
                                     std::size_t wave) {
  co_await all_have_read();
  bool more = false;
  const std::size_t done = wave * most;
  std::byte* const buffer = memory_.buffer.local().data();
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const auto& items = targets[t].items;
    if (wave != 0 && items.size() <= done) continue;
    const auto left = items.subspan(std::min(done, items.size()));
    const auto piece = std::as_bytes(left.first(std::min(most, left.size())));
    if (!piece.empty()) std::memcpy(buffer + t * most * sizeof(Item), piece.data(), piece.size());
    atl::charge(work::byte_copied, piece.size());
    more |= left.size() > most;
  }
  one_sided::fence();
  for (const auto& [pe, items] : targets) {
    if (wave != 0 && items.size() <= done) continue;
    const std::uint64_t number = ++announced_[static_cast<std::size_t>(pe)];
    ++readers_;
    charge(work_kind::exchange_call, 1);
    one_sided::put(memory_.announced.on(pe, static_cast<std::uint64_t>(my_pe())),
                   number << k_number_shift | (items.size() - std::min(done, items.size())));
  }
  co_return more;
}

/// Calls `meanwhile`, after all requests so far have been sent.
template <class Work>
task<void> one_sided_exchange::work(Work& meanwhile) {
  co_await yield();
  meanwhile();
}

inline task<void> one_sided_exchange::all_have_read() {
  co_await one_sided::wait_until(memory_.readers.local().data(),
                                 one_sided::comparison::greater_equal, readers_);
}

/// Waits for the next announcement of PE `from`. Returns the number of items that PE `from` still
/// has for this PE.
inline task<std::size_t> one_sided_exchange::hear(int from) {
  const auto index = static_cast<std::size_t>(from);
  const std::uint64_t number = ++heard_[index] << k_number_shift;
  const std::uint64_t seen = co_await one_sided::wait_until(
      memory_.announced.local().data() + index, one_sided::comparison::greater_equal, number);
  co_return seen - number;
}

/// Begins to fetch a piece (a range of a list) in chunks, by one request for each chunk. All chunks
/// are requested at once. A later request would queue behind other messages of this PE, and the
/// link would be idle meanwhile.
template <class Item>
one_sided_exchange::fetched<Item>
one_sided_exchange::begin_fetch(const incoming& from, std::size_t most, std::size_t items) {
  const std::size_t chunk =
      std::max((items + chunks_ - 1) / chunks_, k_least_chunk_bytes / sizeof(Item));
  fetched<Item> piece{from.pe, huge_vector<Item>(items), {}, {}};
  for (std::size_t first = 0; first < items; first += chunk) {
    piece.chunks.push_back(std::span(piece.items).subspan(first, std::min(chunk, items - first)));
    charge(work_kind::exchange_call, 1);
    one_sided::get_nbi(memory_.buffer.on(from.pe, (from.place * most + first) * sizeof(Item)),
                       std::as_writable_bytes(piece.chunks.back()));
    piece.begun.push_back(one_sided::begun_so_far());
  }
  return piece;
}

/// Completes a fetch. Passes each chunk of the piece to `apply` as soon as the chunk has arrived.
/// After the call, the sender may reuse its buffer.
template <class Item, class Apply>
task<void> one_sided_exchange::finish_fetch(fetched<Item>& piece, Apply& apply) {
  for (std::size_t i = 0; i < piece.chunks.size(); ++i) {
    co_await one_sided::quiet(piece.begun[i]);
    apply(piece.from, std::span<const Item>(piece.chunks[i]));
  }
  charge(work_kind::exchange_call, 1);
  one_sided::add(memory_.readers.on(piece.from), 1);
}

// The next functions gather the items of several PEs at a leader, by one-sided access. The result
// is one array of items. The array has the items of the members in the order of the list of
// members. Items pass through a window in the leader's memory. Members put a range of items into
// the window when the leader asks for the range.

template <class Item, class Work>
task<gathered<Item>> one_sided_exchange::gather(const std::vector<int>& members,
                                                std::span<const Item> out, Work meanwhile) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(pes()));
  sizes[static_cast<std::size_t>(pe())] = out.size();
  sizes = co_await sum(std::move(sizes));
  const std::size_t most = memory_.window.size() / sizeof(Item);
  const std::uint64_t before = windows_;
  // All PEs count the windows (ranges of gathered items) of all groups, so window numbers agree on
  // all PEs.
  for (const std::uint64_t size : sizes) windows_ += size / most + 1;
  gathered<Item> all;
  if (members.size() < 2) co_return all;
  std::size_t own = 0;  // position of this PE's items in the result
  for (const int member : members) {
    if (member == pe()) own = all.begin.back();
    all.begin.push_back(all.begin.back() + sizes[static_cast<std::size_t>(member)]);
  }
  const bool leads = members.front() == pe();
  const std::size_t total = all.begin.back();
  if (leads) all.items.resize(total);
  window now{before, 0, 0};
  while (now.end < total) {
    now = {now.number + 1, now.end, std::min(total, now.end + most)};
    if (!leads) {
      co_await fill_window(members.front(), now, own, out);
      continue;
    }
    open_window(members, now);
    if (now.first == 0) co_await work(meanwhile);
    co_await receive_window(now, all.items);
  }
  if (leads && total == 0) meanwhile();
  co_return all;
}

/// Asks the other members for their items of the window `now`, a range of the gathered items. The
/// leader calls this function.
inline void one_sided_exchange::open_window(const std::vector<int>& members, const window& now) {
  one_sided::fence();  // a member must see the number of the previous window before this number
  for (const int member : members)
    if (member != pe()) one_sided::put(memory_.windows.on(member), now.number);
  charge(work_kind::exchange_call, members.size() - 1);
}

/// Waits until members have filled the window (the leader's memory for gathered items), and copies
/// the items to `into`. The leader calls this function.
template <class Item>
task<void> one_sided_exchange::receive_window(const window& now, huge_vector<Item>& into) {
  const std::size_t bytes = (now.end - now.first) * sizeof(Item);
  filled_ += bytes;
  co_await one_sided::wait_until(memory_.filled.local().data(),
                                 one_sided::comparison::greater_equal, filled_);
  std::memcpy(into.data() + now.first, memory_.window.local().data(), bytes);
  atl::charge(work::byte_copied, bytes);
}

/// Copies the items of `out` with positions in the range `now` into the leader's memory for
/// gathered items. Positions count the items of all members; the first item of `out` has the
/// position `own`. All members except the leader call this function.
template <class Item>
task<void> one_sided_exchange::fill_window(int leader, const window& now, std::size_t own,
                                           std::span<const Item> out) {
  const std::size_t from = std::max(now.first, own);
  const std::size_t to = std::min(now.end, own + out.size());
  if (from >= to) co_return;
  co_await one_sided::wait_until(memory_.windows.local().data(),
                                 one_sided::comparison::greater_equal, now.number);
  charge(work_kind::exchange_call, 2);
  const auto piece = std::as_bytes(out.subspan(from - own, to - from));
  co_await one_sided::put(memory_.window.on(leader, (from - now.first) * sizeof(Item)), piece);
  one_sided::fence();
  one_sided::add(memory_.filled.on(leader), piece.size());
}

}  // namespace atl::kernels::mst
