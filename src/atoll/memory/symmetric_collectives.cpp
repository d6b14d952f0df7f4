#include "atoll/symmetric_collectives.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <vector>

namespace atl::memory {
namespace {

std::byte* segment_of(int pe) { return this_pe().transport->segment(pe); }

/// Returns true if PE `pe` is in the group of this PE. A group is a set of PEs that can access each
/// other's memory directly.
bool is_near(const symmetric_team& team, int pe) { return team.group_of(pe) == team.group(); }

}  // namespace

void check_sizes(const char* call, std::uint64_t target, std::uint64_t expected, site where) {
  if (target == expected) return;
  fail(errc::input, "{}: {}: {} elements were given where {} are needed", to_string(where), call,
       target, expected);
}

void check_divides(const char* call, std::uint64_t elements, site where) {
  if (elements % static_cast<std::uint64_t>(pes()) == 0) return;
  fail(errc::input, "{}: {}: {} elements cannot be divided among {} PEs", to_string(where), call,
       elements, pes());
}

// Before the barrier, the function awaits `quiet`, which completes puts to PEs of other groups.
// Stores within a group need no `quiet`: a PE that sees the arrival of another PE also sees the
// earlier stores of the other PE.
task<> barrier_of_all(site where, const collective_kind& kind) {
  if (this_pe().transport->far_memory() != nullptr) co_await one_sided::quiet(where);
  symmetric_team& team = team_of_all();
  team.begin(kind, 0, k_every_pe, where);
  co_await team.meet(where);
}

// ---- broadcast
namespace {

/// Tells the PEs of the group that the data of broadcast `number` have arrived on this PE.
void announce(symmetric_team& team, std::uint64_t number) {
  std::atomic_ref(team.mine().ready).store(number, std::memory_order_release);
  for (const int member : team.members())
    if (member != my_pe()) this_pe().transport->stored_to(member);
}

/// Broadcasts along a binomial tree over the groups, with the root's group at the top. When round r
/// of the broadcast begins, 2^r groups have the data. One PE of each group sends the data to other
/// groups: the root for its own group, and the leader for every other group.
task<> broadcast_between_groups(symmetric_team& team, symmetric_bytes target, const std::byte* data,
                                int root, site where) {
  const int groups = team.groups();
  const int place = (team.group() - team.group_of(root) + groups) % groups;
  int round = place == 0 ? 0 : std::bit_width(static_cast<unsigned>(place));
  if (place != 0) co_await team.told(round - 1, where);
  for (; (1 << round) < groups; ++round) {
    const int to = place + (1 << round);
    if (to >= groups) continue;
    team.put_and_tell(team.leader_of((to + team.group_of(root)) % groups), round, target.offset,
                      {data, target.size});
  }
  co_await one_sided::quiet(where);
}

}  // namespace

task<> broadcast_bytes(symmetric_call call, int root, site where) {
  const auto& [kind, target, source] = call;
  symmetric_team& team = team_of_all();
  team.begin(kind, source.size, root, where);
  const std::uint64_t number = ++team.broadcasts;
  // after this meeting (a barrier), the targets of all PEs may be overwritten
  if (team.groups() > 1) co_await team.meet(where);
  const bool has_root = is_near(team, root);
  // the PE of this group that gets the data first
  const int first = has_root ? root : team.leader();
  std::byte* const mine = segment_of(my_pe()) + target.offset;
  if (my_pe() == first) {
    const std::uint64_t offset = has_root ? source.offset : target.offset;
    const std::byte* const data = segment_of(first) + offset;
    if (has_root) announce(team, number);
    co_await broadcast_between_groups(team, target, data, root, where);
    if (!has_root) announce(team, number);
    if (has_root && target.size != 0) std::memmove(mine, data, target.size);
  } else {
    co_await symmetric_team::until(team.words(first).ready, number, where);
    copy_bytes(mine, segment_of(first) + (has_root ? source.offset : target.offset), target.size);
  }
  co_await team.meet(where);
}

// ---- reductions
namespace {

/// Largest reduction, in bytes, in which each PE of a group folds all data for itself. In a larger
/// reduction, the PEs divide the data, and each PE folds one part for all PEs. To fold means to
/// combine elements by the operation of the reduction.
constexpr std::size_t k_largest_folded_by_each = 4096;
/// Number of bytes that are folded (combined) at a time. The number is small enough for the data to
/// stay in the cache.
constexpr std::size_t k_folded_at_once = 16384;

struct reduction {
  symmetric_team& team;
  symmetric_bytes target;
  symmetric_bytes source;
  const folding& operation;
  int root;
  site where;

  bool wants(int pe) const { return root == k_every_pe || root == pe; }
};

/// Folds the data that all PEs of the group have copied to their slots, and stores the result at
/// `into`. Every PE folds the data in the same order of PEs, so that rounding errors are equal.
void fold_slots(const reduction& of, std::byte* into, std::size_t bytes, std::uint64_t turn) {
  const auto& members = of.team.members();
  std::memcpy(into, of.team.words(members[0]).slots[turn % 2], bytes);
  for (std::size_t k = 1; k < members.size(); ++k)
    of.operation.fold(into, of.team.words(members[k]).slots[turn % 2], bytes);
}

/// Reduces a small amount of data within one group. Each PE copies its data to a slot. After a
/// meeting (a barrier), each PE folds the slots of all PEs. Each PE uses two slots in turn. A PE
/// reuses a slot only after the meeting of the next reduction, when all PEs have read the slot.
task<> reduce_little(reduction of) {
  const std::uint64_t turn = ++of.team.contributions;
  const std::byte* const source = segment_of(my_pe()) + of.source.offset;
  std::memcpy(of.team.mine().slots[turn % 2], source, of.source.size);
  co_await of.team.meet_in_group(of.where);
  if (of.wants(my_pe()))
    fold_slots(of, segment_of(my_pe()) + of.target.offset, of.source.size, turn);
}

/// Reduces data of at most `k_line_bytes` bytes within one group.
task<> reduce_very_little(reduction of) {
  std::byte* const target = segment_of(my_pe()) + of.target.offset;
  std::memmove(target, segment_of(my_pe()) + of.source.offset, of.source.size);
  co_await of.team.fold_little({target, of.source.size}, of.operation.fold, of.where);
}

/// Folds bytes `begin` to `end` of all sources, and stores the result in the target of each PE that
/// must get it. No other PE accesses bytes `begin` to `end` of any source or target, so target and
/// source may be the same memory.
void reduce_part(const reduction& of, std::size_t begin, std::size_t end) {
  alignas(64) std::byte folded[k_folded_at_once];
  const std::size_t step =
      k_folded_at_once / of.operation.element_bytes * of.operation.element_bytes;
  const auto& members = of.team.members();
  for (std::size_t at = begin; at < end; at += step) {
    const std::size_t bytes = std::min(step, end - at);
    std::memcpy(folded, segment_of(members[0]) + of.source.offset + at, bytes);
    for (std::size_t k = 1; k < members.size(); ++k)
      of.operation.fold(folded, segment_of(members[k]) + of.source.offset + at, bytes);
    for (const int member : members)
      if (of.wants(member)) std::memcpy(segment_of(member) + of.target.offset + at, folded, bytes);
  }
}

/// Reduces a large amount of data within one group. Each PE folds one part of the data for all PEs.
task<> reduce_much(reduction of) {
  co_await of.team.meet_in_group(of.where);
  const std::uint64_t elements = of.source.size / of.operation.element_bytes;
  const std::uint64_t each = ceil_divide(elements, std::uint64_t{of.team.members().size()});
  const std::uint64_t begin = std::min(elements, each * std::uint64_t{of.team.place()});
  const std::uint64_t end = std::min(elements, begin + each);
  reduce_part(of, begin * of.operation.element_bytes, end * of.operation.element_bytes);
  co_await of.team.meet_in_group(of.where);
}

/// Receives the data that group `from` sends in round `round`, and folds (combines) the data with
/// `mine`, the data of this group.
task<> fold_received(const reduction& of, std::span<std::byte> mine, int from, int round,
                     std::uint64_t piece) {
  const auto other = co_await of.team.receive(round, piece, mine.size(), of.where);
  if (from > of.team.group()) {
    of.operation.fold(mine.data(), other.data(), mine.size());
  } else {
    std::vector<std::byte> first(other.begin(), other.end());
    of.operation.fold(first.data(), mine.data(), mine.size());
    std::ranges::copy(first, mine.begin());
  }
  of.team.taken_from(of.team.leader_of(from), round);
}

/// Reduces between groups by recursive doubling, so that all groups get the result. Each group has
/// already folded the data of its own PEs. Recursive doubling needs a number of groups that is a
/// power of two. Groups beyond the largest power of two send their data to other groups at first,
/// and receive the result at the end. The operation always gets the data of the group with the
/// lower number as its first argument, so that all groups compute the same bits.
task<> all_reduce_between_groups(const reduction& of, std::span<std::byte> mine,
                                 std::uint64_t piece) {
  constexpr int k_beyond = k_collective_rounds - 1;
  symmetric_team& team = of.team;
  const int below = static_cast<int>(std::bit_floor(static_cast<unsigned>(team.groups())));
  const int group = team.group();
  if (group >= below) {
    const int other = team.leader_of(group - below);
    co_await team.send(other, k_beyond, piece, mine, of.where);
    const auto result = co_await team.receive(k_beyond, piece, mine.size(), of.where);
    std::ranges::copy(result, mine.begin());
    team.taken_from(other, k_beyond);
    co_return;
  }
  const bool has_beyond = group + below < team.groups();
  if (has_beyond) co_await fold_received(of, mine, group + below, k_beyond, piece);
  for (int round = 0; (1 << round) < below; ++round) {
    co_await team.send(team.leader_of(group ^ (1 << round)), round, piece, mine, of.where);
    co_await fold_received(of, mine, group ^ (1 << round), round, piece);
  }
  if (has_beyond)
    co_await team.send(team.leader_of(group + below), k_beyond, piece, mine, of.where);
}

/// Reduces along a binomial tree over the groups. Only the group of the root gets the result.
task<> reduce_between_groups(const reduction& of, std::span<std::byte> mine, std::uint64_t piece) {
  symmetric_team& team = of.team;
  const int groups = team.groups();
  const int top = team.group_of(of.root);
  const int place = (team.group() - top + groups) % groups;
  for (int round = 0; (1 << round) < groups; ++round) {
    const int distance = 1 << round;
    if ((place & distance) != 0) {
      const int to = team.leader_of((place - distance + top) % groups);
      co_await team.send(to, round, piece, mine, of.where);
      co_return;
    }
    if (place + distance < groups)
      co_await fold_received(of, mine, (place + distance + top) % groups, round, piece);
  }
}

/// Reduces one piece of the data over several groups. The leader of each group folds the data of
/// its group, reduces with the other leaders, and leaves the result in its slot. The other PEs copy
/// the result from the slot of their leader.
task<> reduce_piece(reduction of, std::uint64_t piece) {
  symmetric_team& team = of.team;
  const std::uint64_t turn = ++team.contributions;
  const std::uint64_t bytes = of.source.size;
  std::memcpy(team.mine().slots[turn % 2], segment_of(my_pe()) + of.source.offset, bytes);
  co_await team.meet_in_group(of.where);
  if (team.is_leader()) {
    std::vector<std::byte> folded(bytes);
    fold_slots(of, folded.data(), bytes, turn);
    if (of.root == k_every_pe)
      co_await all_reduce_between_groups(of, folded, piece);
    else
      co_await reduce_between_groups(of, folded, piece);
    std::ranges::copy(folded, team.mine().slots[turn % 2]);
  }
  co_await team.meet_in_group(of.where);
  if (of.wants(my_pe())) {
    const std::byte* const result = team.words(team.leader()).slots[turn % 2];
    std::memcpy(segment_of(my_pe()) + of.target.offset, result, bytes);
  }
}

task<> reduce_over_groups(reduction of) {
  const std::size_t element = of.operation.element_bytes;
  const std::size_t step = k_collective_piece / element * element;
  std::uint64_t piece = 0;
  for (std::uint64_t at = 0; at < of.source.size; at += step, ++piece) {
    reduction part = of;
    const std::uint64_t bytes = std::min<std::uint64_t>(step, of.source.size - at);
    part.source = {of.source.offset + at, bytes};
    part.target = {of.target.offset + at, bytes};
    co_await reduce_piece(part, piece);
  }
  co_await of.team.meet(of.where);
}

}  // namespace

task<> reduce_bytes(symmetric_call call, folding operation, int root, site where) {
  const auto& [kind, target, source] = call;
  if (operation.element_bytes > k_folded_at_once) {
    fail(errc::input, "{}: an element of a reduction has {} bytes; {} is the most",
         to_string(where), operation.element_bytes, k_folded_at_once);
  }
  const reduction of{team_of_all(), target, source, operation, root, where};
  of.team.begin(kind, source.size, root, where);
  if (source.size == 0)
    co_await of.team.meet(where);
  else if (of.team.groups() > 1)
    co_await reduce_over_groups(of);
  else if (source.size <= k_line_bytes && root == k_every_pe && of.team.folds_in_lines())
    co_await reduce_very_little(of);
  else if (source.size <= k_largest_folded_by_each)
    co_await reduce_little(of);
  else
    co_await reduce_much(of);
}

// ---- exchanges
namespace {

/// Copies `bytes` bytes at the offset `from` of this PE to the offset `to` of PE `pe`, directly or
/// over the network. A copy over the network is complete only after `one_sided::quiet`.
void give(int pe, std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  const std::byte* const mine = segment_of(my_pe()) + from;
  if (std::byte* const reached = this_pe().transport->directly_mapped(pe); reached != nullptr)
    copy_bytes(reached + to, mine, bytes);
  else
    far_memory().put({pe, to}, {mine, bytes}, true, open_puts());
}

}  // namespace

// Each PE stores its data into the memory of the other PEs. The PEs meet (wait in a barrier) first,
// because no PE may overwrite a target before the target's PE has made the call.
task<> exchange_bytes(symmetric_call call, site where) {
  const auto& [kind, target, source] = call;
  team_of_all().begin(kind, source.size, k_every_pe, where);
  co_await team_of_all().meet(where);
  const std::uint64_t each = source.size / static_cast<std::uint64_t>(pes());
  const std::uint64_t place = target.offset + each * static_cast<std::uint64_t>(my_pe());
  for (int step = 0; step < pes() && each != 0; ++step) {
    const int to = (my_pe() + step) % pes();
    give(to, place, source.offset + each * static_cast<std::uint64_t>(to), each);
  }
  co_await barrier_of_all(where, kind);
}

task<> gather_bytes(symmetric_call call, site where) {
  const auto& [kind, target, source] = call;
  team_of_all().begin(kind, source.size, k_every_pe, where);
  co_await team_of_all().meet(where);
  const std::uint64_t place = target.offset + source.size * static_cast<std::uint64_t>(my_pe());
  for (int step = 0; step < pes() && source.size != 0; ++step)
    give((my_pe() + step) % pes(), place, source.offset, source.size);
  co_await barrier_of_all(where, kind);
}

task<> gather_bytes_to(symmetric_call call, int root, site where) {
  const auto& [kind, target, source] = call;
  team_of_all().begin(kind, source.size, root, where);
  co_await team_of_all().meet(where);
  const std::uint64_t place = target.offset + source.size * static_cast<std::uint64_t>(my_pe());
  if (source.size != 0) give(root, place, source.offset, source.size);
  co_await barrier_of_all(where, kind);
}

}  // namespace atl::memory
