#pragma once
// Exchanges lists between processes by MPI messages. The processes exchange with one partner at a
// time: first the sizes of the lists, then the lists. If a list is divided into chunks, a process
// handles each chunk while the next chunks are in flight. If the caller passes other work, the
// process waits for all chunks, does the other work, and then handles the chunks.

#include <limits>
#include <span>

#include "reproduction/peers/mst/mpi_basis.hpp"

namespace bench::mst {

using atl::huge_vector;
using atl::kernels::mst::gathered;
using atl::kernels::mst::lists;
using atl::kernels::mst::nothing;

/// The MPI data type of an item of a list.
template <class Item>
class item_type {
 public:
  item_type() {
    MPI_Type_contiguous(sizeof(Item), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~item_type() { MPI_Type_free(&type_); }
  item_type(const item_type&) = delete;
  item_type& operator=(const item_type&) = delete;

  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// One process's object for exchanges of lists.
class mpi_two_sided : public mpi_basis {
 public:
  /// Largest number of items in a message. MPI counts items with an int.
  static constexpr std::size_t k_most_items = std::numeric_limits<int>::max();

  explicit mpi_two_sided(std::size_t chunks, std::size_t most = k_most_items)
      : chunks_(chunks), most_(std::min(most, k_most_items)) {}

  /// Sends each PE of `among` its list of `out`, and receives a list from each. Calls `apply(from,
  /// piece)` for each received piece. Pieces of one sender arrive in order. All PEs of `among` must
  /// call this function.
  template <class Item, class Apply, class Work = nothing>
  immediate<> all_pairs(const std::vector<int>& among, const lists<Item>& out, Apply& apply,
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
  template <class Item, class Apply, class Work = nothing>
  immediate<> shift(int to, int from, std::span<const Item> out, Apply& apply,
                    Work meanwhile = {}) {
    const std::uint64_t leaving = out.size();
    std::uint64_t coming = 0;
    MPI_Sendrecv(&leaving, 1, MPI_UINT64_T, to, k_size_tag, &coming, 1, MPI_UINT64_T, from,
                 k_size_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    huge_vector<Item> in(coming);
    if (chunks_ == 1) {
      send_receive(to, out, from, std::span<Item>(in));
      // this call must not come earlier, because PE `to` would have to wait for this PE
      meanwhile();
      apply(from, std::span<const Item>(in));
    } else {
      shift_in_chunks(to, from, out, std::span<Item>(in), apply, meanwhile);
    }
    co_return;
  }

  /// Gathers the lists `out` of all `members` on the first member. The first member receives the
  /// lists one after another, and then calls `meanwhile`. Every PE must call this function. A PE
  /// that is in no group passes empty `members`.
  template <class Item, class Work = nothing>
  immediate<gathered<Item>> gather(const std::vector<int>& members, std::span<const Item> out,
                                   Work meanwhile = {}) {
    gathered<Item> all;
    if (members.size() < 2) co_return all;
    const std::uint64_t leaving = out.size();
    if (members.front() != pe()) {
      MPI_Send(&leaving, 1, MPI_UINT64_T, members.front(), k_size_tag, MPI_COMM_WORLD);
      send_receive(members.front(), out, MPI_PROC_NULL, std::span<Item>());
      co_return all;
    }
    for (const int member : members) {
      std::uint64_t coming = 0;
      if (member != pe())
        MPI_Recv(&coming, 1, MPI_UINT64_T, member, k_size_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const std::size_t before = all.items.size();
      all.items.resize(before + coming);
      send_receive(MPI_PROC_NULL, std::span<const Item>(), member,
                   std::span<Item>(all.items).subspan(before));
      all.begin.push_back(all.items.size());
    }
    meanwhile();
    co_return all;
  }

 private:
  static constexpr int k_size_tag = 1;
  static constexpr int k_data_tag = 2;

  /// Sends a list and receives a list, each in as many messages as necessary. When the shorter list
  /// is complete, only messages of the longer list follow.
  template <class Item>
  void send_receive(int to, std::span<const Item> out, int from, std::span<Item> in) const {
    const item_type<Item> type;
    while (!out.empty() || !in.empty()) {
      const auto leaving = out.first(std::min(most_, out.size()));
      const auto coming = in.first(std::min(most_, in.size()));
      MPI_Sendrecv(leaving.data(), static_cast<int>(leaving.size()), type,
                   leaving.empty() ? MPI_PROC_NULL : to, k_data_tag, coming.data(),
                   static_cast<int>(coming.size()), type, coming.empty() ? MPI_PROC_NULL : from,
                   k_data_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      out = out.subspan(leaving.size());
      in = in.subspan(coming.size());
    }
  }

  template <class Values>
  Values chunk_of(Values all, std::size_t number) const {
    const std::size_t each = chunk_size(all.size());
    const std::size_t first = std::min(all.size(), number * each);
    return all.subspan(first, std::min(each, all.size() - first));
  }
  std::size_t chunk_size(std::size_t items) const {
    return std::min(most_, (items + chunks_ - 1) / chunks_);
  }
  std::size_t chunks_of(std::size_t items) const {
    return items == 0 ? 0 : (items + chunk_size(items) - 1) / chunk_size(items);
  }

  template <class Item, class Apply, class Work>
  void shift_in_chunks(int to, int from, std::span<const Item> out, std::span<Item> in,
                       Apply& apply, Work& meanwhile) const {
    const item_type<Item> type;
    std::vector<MPI_Request> coming(chunks_of(in.size()));
    std::vector<MPI_Request> leaving(chunks_of(out.size()));
    for (std::size_t c = 0; c < coming.size(); ++c) {
      const auto chunk = chunk_of(in, c);
      MPI_Irecv(chunk.data(), static_cast<int>(chunk.size()), type, from, k_data_tag,
                MPI_COMM_WORLD, &coming[c]);
    }
    for (std::size_t c = 0; c < leaving.size(); ++c) {
      const auto chunk = chunk_of(out, c);
      MPI_Isend(chunk.data(), static_cast<int>(chunk.size()), type, to, k_data_tag, MPI_COMM_WORLD,
                &leaving[c]);
    }
    if constexpr (!std::is_same_v<Work, nothing>) {
      MPI_Waitall(static_cast<int>(coming.size()), coming.data(), MPI_STATUSES_IGNORE);
      meanwhile();
    }
    for (std::size_t c = 0; c < coming.size(); ++c) {
      MPI_Wait(&coming[c], MPI_STATUS_IGNORE);
      apply(from, std::span<const Item>(chunk_of(in, c)));
    }
    MPI_Waitall(static_cast<int>(leaving.size()), leaving.data(), MPI_STATUSES_IGNORE);
  }

  const std::size_t chunks_;
  const std::size_t most_;
};

}  // namespace bench::mst
