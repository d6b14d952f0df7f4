#pragma once
// Gathering at a leader by one-sided access: what comes is one row of items, in which each member
// has its place by the sum of the sizes before it. It goes through a window in the leader's memory,
// which says when the next part may be put there.

#include "atoll/kernels/mst/one_sided.hpp"

namespace atl::kernels::mst {

template <class Item, class Work>
task<gathered<Item>> one_sided_exchange::gather(const std::vector<int>& members,
                                                std::span<const Item> out, Work meanwhile) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(pes()));
  sizes[static_cast<std::size_t>(pe())] = out.size();
  sizes = co_await sum(std::move(sizes));
  const std::size_t most = memory_.window.size() / sizeof(Item);
  const std::uint64_t before = windows_;
  // Windows are numbered alike on all PEs, whatever their groups.
  for (const std::uint64_t size : sizes) windows_ += size / most + 1;
  gathered<Item> all;
  if (members.size() < 2) co_return all;
  std::size_t own = 0;  // where the items of this PE begin
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

/// By the leader.
inline void one_sided_exchange::open_window(const std::vector<int>& members, const window& now) {
  one_sided::fence();  // the word of the window before is not seen after this one
  for (const int member : members)
    if (member != pe()) one_sided::put(memory_.windows.on(member), now.number);
  charge(work_kind::exchange_call, members.size() - 1);
}

/// By the leader, once it is open.
template <class Item>
task<void> one_sided_exchange::receive_window(const window& now, huge_vector<Item>& into) {
  const std::size_t bytes = (now.end - now.first) * sizeof(Item);
  filled_ += bytes;
  co_await one_sided::wait_until(memory_.filled.local().data(),
                                 one_sided::comparison::greater_equal, filled_);
  std::memcpy(into.data() + now.first, memory_.window.local().data(), bytes);
  atl::charge(work::byte_copied, bytes);
}

/// By the others: what of `out`, whose place in the row begins at `own`, is within the window.
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
