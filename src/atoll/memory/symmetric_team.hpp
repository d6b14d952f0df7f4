#pragma once
// The PEs of a job as collectives on symmetric memory see them. PEs that can access each other's
// memory form a group. Each group has a leader, for transfers between groups. The words by which
// they meet are here as well.

#include "atoll/memory/collective_call.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/task.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace atl::memory {

/// Largest piece, in bytes, in which data of collectives pass through their words.
inline constexpr std::size_t k_collective_piece = 65536;
/// Rounds of exchanges between groups: enough for 1,024 PEs, and one for those beyond a power of
/// two.
inline constexpr int k_collective_rounds = 11;

/// Bytes of data that fit into a cache line together with the word that announces them and a mark.
inline constexpr std::size_t k_line_bytes = 48;

/// The words at the beginning of each symmetric segment, zero at the start.
struct collective_words {
  /// A mailbox for data from another group. Pieces use two alternating slots, because two pieces in
  /// flight may arrive in either order.
  struct mailbox {
    alignas(64) std::uint64_t arrived[2];  ///< pieces per slot so far
    std::uint64_t taken;                   ///< sent pieces of this round that were taken
    alignas(64) std::byte pieces[2][k_collective_piece];
  };

  /// A line from a PE of the group: the number of its meeting or exchange, the mark of its
  /// collective, and a little data.
  struct alignas(64) line {
    union {
      std::byte data[k_line_bytes];
      std::uint64_t marks[2];  ///< of meetings, in turn
    };
    std::uint64_t mark;  ///< of the exchange
    std::uint64_t number;
  };

  /// The calls of this PE, alternating, for PEs whose marks differ from its own.
  alignas(64) collective_call called[2];
  alignas(64) std::uint64_t arrived;   ///< on a leader: arrivals of PEs of its group
  std::uint64_t marks;                 ///< on a leader: sum of their marks
  alignas(64) std::uint64_t released;  ///< on a leader: the last meeting that may be left
  alignas(64) std::uint64_t ready;     ///< the last broadcast whose data are here
  alignas(64) std::uint64_t met[k_collective_rounds];
  line met_near[k_collective_rounds];
  line exchanged[k_collective_rounds][2];
  alignas(64) std::byte slots[2][k_collective_piece];  ///< contributions, alternating
  mailbox boxes[k_collective_rounds];
};

/// Bytes of a segment before its symmetric arrays.
inline constexpr std::uint64_t k_collective_bytes =
    round_up(sizeof(collective_words), std::size_t{4096});

/// A function that folds elements into others.
using fold_bytes = std::function<void(std::byte* into, const std::byte* from, std::size_t bytes)>;

class symmetric_team {
 public:
  explicit symmetric_team(const pe& self);

  int groups() const { return static_cast<int>(leaders_.size()); }
  int group_of(int pe) const { return group_of_[static_cast<std::size_t>(pe)]; }
  int group() const { return group_of(rank_); }
  const std::vector<int>& members() const { return members_; }
  std::size_t place() const { return place_; }  // index of this PE in `members()`
  int leader_of(int group) const { return leaders_[static_cast<std::size_t>(group)]; }
  int leader() const { return leader_of(group()); }
  bool is_leader() const { return leader() == rank_; }

  /// Returns the words of PE `pe` of this group.
  collective_words& words(int pe) const;
  collective_words& mine() const { return words(rank_); }

  /// Awaitable: waits until `word`, which only grows, has reached `value`.
  static auto until(const std::uint64_t& word, std::uint64_t value, site where) {
    return until_awaiter<std::uint64_t>(&word, one_sided::comparison::greater_equal, value, where);
  }

  /// Collective: waits until all PEs of the group have come. Their earlier stores are visible then.
  task<> meet_in_group(site where);

  /// Collective: waits until all PEs have come.
  task<> meet(site where);

  /// Returns true if `fold_little` applies: the PEs of the group poll while they wait, and their
  /// number is a power of two.
  bool folds_in_lines() const;

  /// Collective in the group: folds the values of all PEs, at most `k_line_bytes` each. The result
  /// replaces the value of each PE, with the same bits.
  task<> fold_little(std::span<std::byte> value, const fold_bytes& fold, site where);

  /// Awaitable: waits until the next piece of a slot has arrived in this round.
  auto arrival(int round, std::size_t turn, site where) {
    return until(mine().boxes[round].arrived[turn],
                 ++received_[static_cast<std::size_t>(round)][turn], where);
  }

  /// Begins a collective of `bytes` bytes on each PE. PEs that meet in different calls end the job,
  /// with an error that names both. Marks within a group cost no extra cache line.
  void begin(const collective_kind& kind, std::uint64_t bytes, int root, site where);

  // ---- between groups, by their representatives (leaders, or the root)
  /// Sends a piece to the representative of another group. For the receiver, it must be the
  /// `piece`th of this round and collective.
  task<> send(int to, int round, std::uint64_t piece, std::span<const std::byte> data, site where);

  /// Awaits the next piece of this round, which stays valid until `taken_from` is called.
  task<std::span<const std::byte>> receive(int round, std::uint64_t piece, std::size_t bytes,
                                           site where);
  void taken_from(int from, int round);

  /// Puts data at offset `offset` of another PE, and announces them in this round.
  void put_and_tell(int to, int round, std::uint64_t offset, std::span<const std::byte> data);

  /// Awaitable: waits until data of `put_and_tell` have arrived in this round.
  auto told(int round, site where) { return arrival(round, 0, where); }

  std::uint64_t broadcasts = 0;     ///< so far
  std::uint64_t contributions = 0;  ///< pieces that were put into slots so far

 private:
  collective_words& mine_of_leader() const { return words(leader()); }
  void release_group(std::uint64_t meeting);
  task<> meet_all(site where);
  task<> meet_by_counting(site where);
  task<> meet_by_telling(site where);
  void tell(int member, std::uint64_t& word, std::uint64_t number);
  task<> meet_other_leaders(site where);
  void check_mark(std::uint64_t seen, int member) const;
  void check_marks_of_group() const;
  void check_call(const collective_call& other) const;
  task<> check_leader(int leader, site where);

  const int rank_;
  const bool looks_around_;  // each PE has a core of its own
  std::size_t place_ = 0;
  std::vector<int> group_of_;  // by PE
  std::vector<int> leaders_;   // by group
  std::vector<int> members_;   // of this PE's group
  std::uint64_t meetings_ = 0;
  std::uint64_t near_meetings_ = 0;
  std::uint64_t exchanges_ = 0;
  std::uint64_t begun_ = 0;        // collectives
  std::uint64_t mark_ = 0;         // of the present one, less than 2^16
  std::uint64_t group_marks_ = 0;  // sum of marks at a leader if all match
  std::array<std::uint64_t, k_collective_rounds> far_meetings_{};  // with their marks, by round
  std::array<std::uint64_t, k_collective_rounds> sent_{};
  std::array<std::array<std::uint64_t, 2>, k_collective_rounds> received_{};  // by turn
  transport::open_operations told_;  // of announcements, which no task awaits
};

/// Returns the team of all PEs, made at the first call.
symmetric_team& team_of_all();

}  // namespace atl::memory
