#include "atoll/memory/symmetric_team.hpp"

#include "atoll/one_sided.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace atl::memory {
namespace {

std::size_t index(int of) { return static_cast<std::size_t>(of); }

/// Returns the group of each PE. Groups are numbered in the order of their first PEs. If PEs cannot
/// access each other's segments directly, each PE is a group of its own.
std::vector<int> groups_of(const pe& self) {
  const auto nodes = self.transport->nodes();
  const bool reaches = self.transport->directly_mapped(self.rank) != nullptr;
  std::vector<int> group(index(self.size), 0);
  std::vector<int> number_of_node;
  int groups = 0;
  for (int pe = 0; pe < self.size; ++pe) {
    if (!reaches) {
      group[index(pe)] = groups++;
    } else if (!nodes.empty()) {
      const std::size_t node = index(nodes[index(pe)]);
      if (node >= number_of_node.size()) number_of_node.resize(node + 1, -1);
      if (number_of_node[node] < 0) number_of_node[node] = groups++;
      group[index(pe)] = number_of_node[node];
    }
  }
  return group;
}

std::uint64_t offset_of(const collective_words& mine, const void* part) {
  return static_cast<std::uint64_t>(static_cast<const std::byte*>(part) -
                                    reinterpret_cast<const std::byte*>(&mine));
}

transport::signal_update more(std::uint64_t offset, std::uint64_t by) {
  return {offset, {.kind = transport::atomic_kind::add, .bytes = 8, .operand = by}};
}
transport::signal_update one_more(std::uint64_t offset) { return more(offset, 1); }

/// When leaders meet, each leader adds `k_one_far_meeting` plus the mark of the collective to a
/// word of another leader (`collective_words::met`). The upper 32 bits of the word are therefore
/// the number of meetings, and the lower 32 bits are the sum of the marks.
constexpr std::uint64_t k_one_far_meeting = std::uint64_t{1} << 32;

/// Returns the mark of a call, a 16-bit hash of the properties that must be equal on all PEs.
std::uint64_t mark_of(const collective_call& what) {
  constexpr std::uint64_t k_factor = 0x9e3779b97f4a7c15;
  const auto root = static_cast<std::uint32_t>(what.root);
  return (((what.kind + root) * k_factor ^ what.bytes) * k_factor) >> 48;
}

}  // namespace

symmetric_team::symmetric_team(const pe& self)
    : rank_(self.rank), looks_around_(self.transport->has_own_core()), group_of_(groups_of(self)) {
  for (int pe = 0; pe < self.size; ++pe) {
    if (group_of(pe) == groups()) leaders_.push_back(pe);
    if (pe == rank_) place_ = members_.size();
    if (group_of(pe) == group_of(rank_)) members_.push_back(pe);
  }
  if (self.transport->far_memory() != nullptr) self.transport->far_memory()->open();
}

symmetric_team& team_of_all() {
  auto& team = this_pe().one_sided->team;
  if (team == nullptr) team = std::make_shared<symmetric_team>(this_pe());
  return *team;
}

collective_words& symmetric_team::words(int pe) const {
  return *reinterpret_cast<collective_words*>(this_pe().transport->segment(pe));
}

void symmetric_team::begin(const collective_kind& kind, std::uint64_t bytes, int root, site where) {
  const collective_call what = call_of(kind, bytes, root, where);
  mine().called[++begun_ % 2] = what;
  mark_ = mark_of(what);
}

void symmetric_team::check_mark(std::uint64_t seen, int member) const {
  if (seen == mark_) [[likely]]
    return;
  check_call(words(member).called[begun_ % 2]);
}

/// Checks that all PEs of the group have made the same call. If the sum of the marks (hashes) of
/// all calls has the expected value, the function assumes that all calls are equal.
void symmetric_team::check_marks_of_group() const {
  if (std::atomic_ref(mine_of_leader().marks).load() == group_marks_) [[likely]]
    return;
  for (const int member : members_) check_mark(mark_of(words(member).called[begun_ % 2]), member);
}

void symmetric_team::check_call(const collective_call& other) const {
  const collective_call& own = mine().called[begun_ % 2];
  if (!match(own, other)) end_by_difference(own, other);
}

task<> symmetric_team::check_leader(int leader, site where) {
  collective_call other;
  const one_sided_target there{nullptr, {leader, offset_of(mine(), &mine().called[begun_ % 2])}};
  co_await get_awaiter<std::byte>(there, std::as_writable_bytes(std::span(&other, 1)), where);
  check_call(other);
}

void symmetric_team::release_group(std::uint64_t meeting) {
  std::atomic_ref(mine_of_leader().released).store(meeting, std::memory_order_release);
  for (const int member : members_)
    if (member != rank_) this_pe().transport->stored_to(member);
}

task<> symmetric_team::meet_in_group(site where) {
  return looks_around_ ? meet_by_telling(where) : meet_by_counting(where);
}

// PEs that share a core meet by a counter of arrivals in the memory of the leader. The PE that
// arrives last releases all others at once, so the core rarely has to switch between PEs.
task<> symmetric_team::meet_by_counting(site where) {
  if (members_.size() == 1) co_return;
  const std::uint64_t meeting = ++meetings_;
  group_marks_ += mark_ * members_.size();
  std::atomic_ref(mine_of_leader().marks).fetch_add(mark_);
  const std::uint64_t before = std::atomic_ref(mine_of_leader().arrived).fetch_add(1);
  if (before + 1 == meeting * members_.size()) {
    check_marks_of_group();
    release_group(meeting);
  } else
    co_await until(mine_of_leader().released, meeting, where);
}

void symmetric_team::tell(int member, std::uint64_t& word, std::uint64_t number) {
  std::atomic_ref(word).store(number, std::memory_order_release);
  this_pe().transport->stored_to(member);
}

// PEs with cores of their own meet by the dissemination barrier (Hensgen, Finkel and Manber 1988).
// In round r of the barrier, each PE notifies the PE at distance 2^r. Each cache line has only one
// writer and one reader.
task<> symmetric_team::meet_by_telling(site where) {
  const std::uint64_t meeting = ++near_meetings_;
  int round = 0;
  for (std::size_t distance = 1; distance < members_.size(); distance *= 2, ++round) {
    const int to = members_[(place_ + distance) % members_.size()];
    auto& theirs = words(to).met_near[round];
    theirs.marks[meeting % 2] = mark_;
    tell(to, theirs.number, meeting);
    co_await until(mine().met_near[round].number, meeting, where);
    check_mark(mine().met_near[round].marks[meeting % 2],
               members_[(place_ + members_.size() - distance) % members_.size()]);
  }
}

bool symmetric_team::folds_in_lines() const {
  return looks_around_ && std::has_single_bit(members_.size());
}

// The values are combined by recursive doubling. For each round, a PE uses two cache lines in turn,
// so a line is reused two exchanges later. Before a PE reuses a line, its partner has answered the
// exchange in between, and has therefore read the line.
task<> symmetric_team::fold_little(std::span<std::byte> value, const fold_bytes& fold, site where) {
  const std::uint64_t exchange = ++exchanges_;
  int round = 0;
  for (std::size_t distance = 1; distance < members_.size(); distance *= 2, ++round) {
    const int other = members_[place_ ^ distance];
    auto& theirs = words(other).exchanged[round][exchange % 2];
    std::memcpy(theirs.data, value.data(), value.size());
    theirs.mark = mark_;
    tell(other, theirs.number, exchange);
    const auto& come = mine().exchanged[round][exchange % 2];
    co_await until(come.number, exchange, where);
    check_mark(come.mark, other);
    alignas(16) std::byte folded[k_line_bytes];
    const bool is_lower = (place_ & distance) == 0;
    std::memcpy(folded, is_lower ? value.data() : come.data, value.size());
    fold(folded, is_lower ? come.data : value.data(), value.size());
    std::memcpy(value.data(), folded, value.size());
  }
}

task<> symmetric_team::meet(site where) {
  if (groups() == 1) return meet_in_group(where);
  return meet_all(where);
}

task<> symmetric_team::meet_all(site where) {
  const std::uint64_t meeting = ++meetings_;
  collective_words& words = mine_of_leader();
  group_marks_ += mark_ * members_.size();
  std::atomic_ref(words.marks).fetch_add(mark_);
  std::atomic_ref(words.arrived).fetch_add(1);
  if (!is_leader()) {
    this_pe().transport->stored_to(leader());
    co_await until(words.released, meeting, where);
    co_return;
  }
  co_await until(words.arrived, meeting * members_.size(), where);
  check_marks_of_group();
  co_await meet_other_leaders(where);
  release_group(meeting);
}

// The leaders of the groups meet by the dissemination barrier. In each step of the barrier, a
// leader atomically adds a number to a word of another leader. A store would not be safe, because
// stores of two meetings could arrive in the wrong order. The upper bits of the word are the number
// of meetings, and the lower bits are the sum of the marks (hashes) of the calls. A wrong mark
// changes the sum by less than half of `k_one_far_meeting`, so the number of meetings stays
// recognisable.
task<> symmetric_team::meet_other_leaders(site where) {
  int round = 0;
  for (int distance = 1; distance < groups(); distance *= 2, ++round) {
    const int to = leaders_[index((group() + distance) % groups())];
    const std::uint64_t place = offset_of(mine(), &mine().met[round]);
    far_memory().update({to, place}, more(place, k_one_far_meeting + mark_).what, nullptr, told_);
    far_memory().send();
    const std::uint64_t expected = far_meetings_[index(round)] += k_one_far_meeting + mark_;
    const std::uint64_t seen =
        co_await until(mine().met[round], expected - k_one_far_meeting / 2, where);
    const bool is_at_next = seen >= expected + k_one_far_meeting / 2;
    if (seen != expected && !is_at_next)
      co_await check_leader(leaders_[index((group() + groups() - distance) % groups())], where);
  }
}

task<> symmetric_team::send(int to, int round, std::uint64_t piece, std::span<const std::byte> data,
                            site where) {
  auto& box = mine().boxes[round];
  std::uint64_t& sent = sent_[index(round)];
  if (sent != 0) co_await until(box.taken, sent - 1, where);
  ++sent;
  const auto arrived = one_more(offset_of(mine(), &box.arrived[piece % 2]));
  far_memory().put({to, offset_of(mine(), box.pieces[piece % 2])}, data, false, told_, &arrived);
}

task<std::span<const std::byte>> symmetric_team::receive(int round, std::uint64_t piece,
                                                         std::size_t bytes, site where) {
  co_await arrival(round, piece % 2, where);
  co_return std::span<const std::byte>(mine().boxes[round].pieces[piece % 2], bytes);
}

void symmetric_team::taken_from(int from, int round) {
  const auto taken = one_more(offset_of(mine(), &mine().boxes[round].taken));
  far_memory().update({from, taken.offset}, taken.what, nullptr, told_);
}

void symmetric_team::put_and_tell(int to, int round, std::uint64_t offset,
                                  std::span<const std::byte> data) {
  const auto arrived = one_more(offset_of(mine(), &mine().boxes[round].arrived[0]));
  far_memory().put({to, offset}, data, true, open_puts(), &arrived);
}

}  // namespace atl::memory
