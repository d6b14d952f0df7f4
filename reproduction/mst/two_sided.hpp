#pragma once
// Exchanges lists between PEs by two-sided messages, as MPI programs do. The PEs exchange with one
// partner at a time: first the sizes of the lists, then the lists. If a list is divided into
// chunks, a PE processes each chunk while the next chunks are in flight. If the caller passes other
// work, the PE waits for all chunks, does the other work, and then processes the chunks.

#include "atoll/kernels/mst/exchange.hpp"
#include "atoll/two_sided.hpp"

#include <algorithm>

namespace atl::reproduction {

namespace mst = kernels::mst;

/// One PE's object for exchanges of lists.
class two_sided_exchange : public mst::exchange_basis {
 public:
  explicit two_sided_exchange(int chunks) : chunks_(static_cast<std::size_t>(chunks)) {}

  /// Sends each PE of `among` its list of `out`, and receives a list from each. Calls `apply(from,
  /// piece)` for each received piece. Pieces of one sender arrive in order. All PEs of `among` must
  /// call this function.
  template <class Item, class Apply, class Work = mst::nothing>
  task<void> all_pairs(const std::vector<int>& among, const mst::lists<Item>& out, Apply& apply,
                       Work meanwhile = {}) {
    const auto self = std::ranges::find(among, pe());
    if (self == among.end()) co_return;
    if (among.size() == 1) co_return meanwhile();
    const auto at = static_cast<std::size_t>(self - among.begin());
    for (std::size_t i = 1; i < among.size(); ++i) {
      const int to = among[(at + i) % among.size()];
      const int from = among[(at + among.size() - i) % among.size()];
      if (i == 1)
        co_await shift(to, from, out.of(to), apply, meanwhile);
      else
        co_await shift(to, from, out.of(to), apply);
    }
  }

  /// Sends the list `out` to PE `to`, and receives a list from PE `from`. Calls `apply(from,
  /// piece)` for each received piece.
  template <class Item, class Apply, class Work = mst::nothing>
  task<void> shift(int to, int from, std::span<const Item> out, Apply& apply, Work meanwhile = {}) {
    const std::uint64_t leaving[] = {out.size()};
    std::uint64_t coming[] = {0};
    charge(mst::work_kind::exchange_call, 2 + 2 * chunks_);
    co_await two_sided::send_receive(to, k_size_tag, std::span(leaving), from, k_size_tag,
                                     std::span(coming));
    huge_vector<Item> in(coming[0]);
    if (chunks_ == 1) {
      co_await two_sided::send_receive(to, k_data_tag, out, from, k_data_tag, std::span(in));
      // this call must not come earlier, because PE `to` would have to wait for this PE
      meanwhile();
      apply(from, std::span<const Item>(in));
    } else {
      co_await shift_in_chunks(to, from, out, std::span<Item>(in), apply, meanwhile);
    }
  }

  /// Gathers the lists `out` of all `members` on the first member. The first member receives the
  /// lists one after another, and then calls `meanwhile`. Every PE must call this function. A PE
  /// that is in no group passes empty `members`.
  template <class Item, class Work = mst::nothing>
  task<mst::gathered<Item>> gather(const std::vector<int>& members, std::span<const Item> out,
                                   Work meanwhile = {}) {
    mst::gathered<Item> all;
    if (members.size() < 2) co_return all;
    const std::uint64_t leaving[] = {out.size()};
    charge(mst::work_kind::exchange_call, 2 * (members.front() == pe() ? members.size() - 1 : 1));
    if (members.front() != pe()) {
      co_await two_sided::send(members.front(), k_size_tag, std::span(leaving));
      co_await two_sided::send(members.front(), k_data_tag, out);
      co_return all;
    }
    for (const int member : members) {
      std::uint64_t coming[] = {0};
      if (member != pe()) co_await two_sided::receive(member, k_size_tag, std::span(coming));
      const std::size_t before = all.items.size();
      all.items.resize(before + coming[0]);
      const auto room = std::span<Item>(all.items).subspan(before);
      if (member != pe()) co_await two_sided::receive(member, k_data_tag, room);
      all.begin.push_back(all.items.size());
    }
    meanwhile();
    co_return all;
  }

 private:
  static constexpr int k_size_tag = 1;
  static constexpr int k_data_tag = 2;

  template <class Values>
  Values chunk_of(Values all, std::size_t number) const {
    const std::size_t each = (all.size() + chunks_ - 1) / chunks_;
    const std::size_t first = std::min(all.size(), number * each);
    return all.subspan(first, std::min(each, all.size() - first));
  }

  template <class Item, class Apply, class Work>
  task<void> shift_in_chunks(int to, int from, std::span<const Item> out, std::span<Item> in,
                             Apply& apply, Work& meanwhile) {
    std::vector<two_sided::request> coming;
    std::vector<two_sided::request> leaving;
    for (std::size_t c = 0; c < chunks_; ++c)
      coming.push_back(two_sided::receive_nbi(from, k_data_tag, chunk_of(in, c)));
    for (std::size_t c = 0; c < chunks_; ++c)
      leaving.push_back(two_sided::send_nbi(to, k_data_tag, chunk_of(out, c)));
    if constexpr (!std::is_same_v<Work, mst::nothing>) {
      for (auto& each : coming) co_await each;  // work before this point would delay other PEs
      meanwhile();
    }
    for (std::size_t c = 0; c < chunks_; ++c) {
      co_await coming[c];
      apply(from, std::span<const Item>(chunk_of(in, c)));
    }
    for (auto& each : leaving) co_await each;
  }

  const std::size_t chunks_;
};

}  // namespace atl::reproduction
