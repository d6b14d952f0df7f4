#pragma once
// The PEs of a node share bitmaps, which have one bit for each vertex of the graph. One bitmap
// holds the frontier: the vertices of the level that was reached last. Each node sends its part of
// the frontier to all other nodes. One more bitmap marks vertices that are known to be reached.

#include "atoll/atoll.hpp"
#include "atoll/graph/partition.hpp"
#include "atoll/kernels/bfs/part.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <optional>

namespace atl::kernels::bfs {

using bit_words = std::span<std::uint64_t>;

inline bool test(bit_words bits, std::uint64_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }

/// Tests and sets bit `i` without synchronisation. Several PEs may call this function at the same
/// time. If two PEs set bits of the same word at the same time, one PE may undo the change of the
/// other PE. A set bit is reliable. A clear bit is only a hint, because an undone change leaves the
/// bit clear.
inline bool test_and_set_loosely(bit_words bits, std::uint64_t i) {
  const std::atomic_ref word(bits[i / 64]);
  const std::uint64_t bit = std::uint64_t{1} << (i % 64),
                      before = word.load(std::memory_order_relaxed);
  if ((before & bit) != 0) return true;
  word.store(before | bit, std::memory_order_relaxed);
  return false;
}

/// Indexes of two counters of notifications, which every PE has in its memory. The counters are
/// never reset. On each node one PE, the *holder*, keeps the bitmaps.
enum told_of : std::uint8_t {
  nodes_told,  ///< on the PE that keeps the bitmaps of its node: number of frontier parts that
               ///< other nodes have sent
  /// On every other PE: number of frontiers that the holder, the PE with the bitmaps of its node,
  /// has reported to be complete.
  frontiers_whole,
  k_told_words
};

/// The bitmaps in shared memory. The object is a small value, which can be sent to other PEs.
struct shared_bits {
  /// Frontiers of the current level, of the next level, and of the level after the next level.
  std::array<node_array<std::uint64_t>, 3> frontiers;
  node_array<std::uint64_t> reached;
  symmetric_array<std::uint64_t> told;

  /// Makes the arrays. One task calls this function.
  static task<shared_bits> make(std::uint64_t vertices) {
    const std::uint64_t words = ceil_divide(vertices, std::uint64_t{64});
    shared_bits made;
    for (auto& each : made.frontiers) each = co_await node_array<std::uint64_t>::make(words);
    made.reached = co_await node_array<std::uint64_t>::make(words);
    made.told = co_await make_symmetric_array<std::uint64_t>(k_told_words);
    co_return made;
  }

  /// Frees the arrays. One task calls this function, once.
  task<> destroy() const {
    for (const auto& each : frontiers) co_await each.destroy();
    co_await reached.destroy();
    co_await told.destroy();
  }
};

/// The view of one PE on the shared bitmaps of its node during a search.
class node_bits {
 public:
  /// Finds the bitmaps of this node. The call does not communicate.
  node_bits(const shared_bits& all, const partition& shape) : all_(all), shape_(shape) {
    const auto nodes = memory::pes_that_share_memory();
    for (const auto& of_node : nodes) {
      holders_.push_back(of_node.front());
      const auto here = std::ranges::find(of_node, my_pe());
      if (here == of_node.end()) continue;
      holder_ = of_node.front();
      place_ = static_cast<std::uint64_t>(here - of_node.begin());
      mates_ = of_node;
      for (const int pe : of_node) add_stretch(shape.begin(pe), shape.end(pe));
    }
    reached_ = all.reached.of(holder_);
  }

  /// Clears this PE's part of the bits of the last search. No PE may use the bits during the call.
  void start() {
    std::ranges::fill(share_of(reached_), 0);
    for (const auto& each : all_.frontiers) clear_joined_words(each.of(holder_));
    std::ranges::copy(all_.told.local(), told_before_.begin());
  }

  /// Marks the newest vertices of this PE in the next frontier of this node. `rows` has the rows of
  /// the newest vertices. When a PE calls this function, all PEs must have completed their previous
  /// calls. No PE may still read the frontier that was marked two calls before, because the call
  /// clears words of that frontier's bitmap.
  task<> mark(const auto& rows) {
    if (sent_) co_await one_sided::quiet(*sent_);  // the wait usually ends at once
    turn_ = (turn_ + 1) % all_.frontiers.size();
    clear_joined_words(frontier_of(turn_ + 1));
    const std::uint64_t first = shape_.begin(my_pe());
    bitmap_slice newest(first, shape_.end(my_pe()));
    for (const auto row : rows) newest.set(first + row);
    const bit_words here = frontier_of(turn_);
    const auto store = [&](std::uint64_t at, std::span<const std::uint64_t> words) {
      std::ranges::copy(words, here.begin() + static_cast<std::ptrdiff_t>(at));
    };
    const auto join = [&](std::uint64_t at, std::uint64_t word) {
      std::atomic_ref(here[at]).fetch_or(word, std::memory_order_relaxed);
    };
    divide(first, shape_.end(my_pe()), newest.words(), store, join);
  }

  /// Sends the marks of this node to the other nodes, and makes the marked vertices the frontier.
  /// Every PE calls this function after all PEs have marked their vertices.
  task<> all_tell() {
    ++tells_;
    for (std::size_t node = place_; node < holders_.size(); node += mates_.size())
      if (holders_[node] != holder_) tell(holders_[node]);
    if (holders_.size() > 1) co_await await_others();
    frontier_ = frontier_of(turn_);
    add_to_reached();
  }

  bool in_frontier(std::uint64_t vertex) const { return test(frontier_, vertex); }

  /// Returns whether `vertex` is known to be reached, and marks the vertex as reached. The result
  /// may be false although the vertex was reached (`test_and_set_loosely`).
  bool is_known(std::uint64_t vertex) { return test_and_set_loosely(reached_, vertex); }

 private:
  bit_words share_of(bit_words all) const {
    const std::uint64_t begin = all.size() * place_ / mates_.size();
    return all.subspan(begin, all.size() * (place_ + 1) / mates_.size() - begin);
  }

  void add_stretch(std::uint64_t first, std::uint64_t last) {
    if (!stretches_.empty() && stretches_.back().second == first)
      stretches_.back().second = last;
    else
      stretches_.emplace_back(first, last);
  }

  bit_words frontier_of(std::size_t turn) const {
    return all_.frontiers[turn % all_.frontiers.size()].of(holder_);
  }

  /// Clears the words that have bits of several PEs. PEs add their bits to a shared word by a
  /// bitwise or, so the old bits must be cleared. Words with bits of one PE need no clearing,
  /// because the PE overwrites them.
  void clear_joined_words(bit_words bits) const {
    const auto& boundaries = shape_.boundaries;
    for (std::size_t i = place_ + 1; i < boundaries.size(); i += mates_.size())
      if (boundaries[i] % 64 != 0)
        std::atomic_ref(bits[boundaries[i] / 64]).store(0, std::memory_order_relaxed);
  }

  /// Passes on `words`, which contains the bits [first, last). Words that have only bits of the
  /// range are passed to `store(at, words)`. A first or last word that also has bits outside of the
  /// range is passed to `join(at, word)`.
  static void divide(std::uint64_t first, std::uint64_t last, std::span<const std::uint64_t> words,
                     const auto& store, const auto& join) {
    std::uint64_t at = first / 64;
    if (!words.empty() && first % 64 != 0) {
      join(at++, words.front());
      words = words.subspan(1);
    }
    if (words.empty()) return;
    const auto whole = words.first(words.size() - (last % 64 != 0 ? 1 : 0));
    if (!whole.empty()) store(at, whole);
    if (whole.size() != words.size()) join(at + whole.size(), words.back());
  }

  void tell(int holder) const {
    const auto& to = all_.frontiers[turn_];
    const auto store = [&](std::uint64_t at, std::span<const std::uint64_t> words) {
      one_sided::put_nbi(to.on(holder, at), words);
    };
    const auto join = [&](std::uint64_t at, std::uint64_t word) {
      if (word != 0) one_sided::bit_or(to.on(holder, at), word);
    };
    for (const auto& [first, last] : stretches_) {
      const std::uint64_t begin = first / 64, end = first == last ? begin : (last + 63) / 64;
      divide(first, last, frontier_of(turn_).subspan(begin, end - begin), store, join);
    }
    one_sided::fence();
    one_sided::add(all_.told.on(holder, nodes_told), 1);
  }

  /// Waits until the bits of all other nodes have arrived. The other nodes notify the holder, the
  /// PE of this node that keeps the bitmaps. The PE that keeps the bitmaps then notifies the other
  /// PEs of this node.
  task<> await_others() {
    sent_ = one_sided::begun_so_far();
    const bool holds = my_pe() == holder_;
    const auto what = holds ? nodes_told : frontiers_whole;
    const std::uint64_t told = tells_ * (holds ? holders_.size() - 1 : 1);
    memory::far_memory().flush();
    co_await one_sided::wait_until(&all_.told.local()[what], one_sided::comparison::greater_equal,
                                   told_before_[what] + told);
    if (!holds) co_return;
    for (const int mate : mates_)
      if (mate != holder_) one_sided::add(all_.told.on(mate, frontiers_whole), 1);
  }

  void add_to_reached() {
    const bit_words share = share_of(reached_), found = share_of(frontier_);
    for (std::size_t k = 0; k < share.size(); ++k) {
      const std::atomic_ref word(share[k]);
      word.store(word.load(std::memory_order_relaxed) | found[k], std::memory_order_relaxed);
    }
    charge(work::byte_copied, share.size_bytes());
  }

  shared_bits all_;
  const partition& shape_;
  std::vector<int> holders_;  ///< for each node: the PE that holds its bitmaps
  int holder_ = 0;            ///< PE that holds the bitmaps of this node
  std::uint64_t place_ = 0;   ///< index of this PE among the PEs of its node
  std::vector<int> mates_;    ///< PEs of this node
  /// The vertices of this node, as ranges [first, second).
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stretches_;
  bit_words reached_;
  bit_words frontier_;
  std::size_t turn_ = 0;
  std::uint64_t tells_ = 0;
  std::array<std::uint64_t, k_told_words> told_before_{};
  /// The moment right after the last part of a frontier was sent. A call of `one_sided::quiet` with
  /// this moment waits until the part has arrived.
  std::optional<one_sided::moment> sent_;
};

}  // namespace atl::kernels::bfs
