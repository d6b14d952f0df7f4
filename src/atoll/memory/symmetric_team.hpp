#pragma once
// The PEs of a job as collectives on symmetric memory see them: groups whose PEs reach each other's
// memory, and a leader of each, for what goes between groups. With the words they meet at.

#include "atoll/memory/collective_call.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/task.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace atl::memory {

/// Data of collectives goes through their words in pieces of at most so many bytes.
inline constexpr std::size_t k_collective_piece = 65536;
/// Of exchanges between groups: 1,024 PEs, and one for those beyond a power of two.
inline constexpr int k_collective_rounds = 11;

/// Of what travels in the same cache line as the word that says so, and a mark.
inline constexpr std::size_t k_line_bytes = 48;

/// What stands at the beginning of each symmetric segment. Zero at the start.
struct collective_words {
  /// Comes from another group: pieces in two turns, for of two that are under way either may be the
  /// first.
  struct mailbox {
    alignas(64) std::uint64_t arrived[2];  ///< pieces of each turn, in all
    std::uint64_t taken;                   ///< of those this PE has sent in this round, in all
    alignas(64) std::byte pieces[2][k_collective_piece];
  };

  /// From a PE of the group: which meeting or exchange it is at, in which collective, and a little
  /// data, in one line.
  struct alignas(64) line {
    union {
      std::byte data[k_line_bytes];
      std::uint64_t marks[2];  ///< of meetings, in turn
    };
    std::uint64_t mark;  ///< of the exchange
    std::uint64_t number;
  };

  /// What this PE calls, in turn, for others whose marks differ from its.
  alignas(64) collective_call called[2];
  alignas(64) std::uint64_t arrived;   ///< of a leader: how often PEs of its group have come
  std::uint64_t marks;                 ///< and the sum of what they have called
  alignas(64) std::uint64_t released;  ///< of a leader: up to which meeting they may go on
  alignas(64) std::uint64_t ready;     ///< up to which broadcast its data stands here
  alignas(64) std::uint64_t met[k_collective_rounds];
  line met_near[k_collective_rounds];
  line exchanged[k_collective_rounds][2];
  alignas(64) std::byte slots[2][k_collective_piece];  ///< contributions, in turn
  mailbox boxes[k_collective_rounds];
};

/// Symmetric arrays begin behind them.
inline constexpr std::uint64_t k_collective_bytes =
    round_up(sizeof(collective_words), std::size_t{4096});

/// Folds elements into others.
using fold_bytes = std::function<void(std::byte* into, const std::byte* from, std::size_t bytes)>;

class symmetric_team {
 public:
  explicit symmetric_team(const pe& self);

  int groups() const { return static_cast<int>(leaders_.size()); }
  int group_of(int pe) const { return group_of_[static_cast<std::size_t>(pe)]; }
  int group() const { return group_of(rank_); }
  const std::vector<int>& members() const { return members_; }
  std::size_t place() const { return place_; }  // of this PE among them
  int leader_of(int group) const { return leaders_[static_cast<std::size_t>(group)]; }
  int leader() const { return leader_of(group()); }
  bool is_leader() const { return leader() == rank_; }

  /// The words of this PE, or of one of its group.
  collective_words& words(int pe) const;
  collective_words& mine() const { return words(rank_); }

  /// Awaitable: until a word, which only grows, has come to `value`.
  static auto until(const std::uint64_t& word, std::uint64_t value, site where) {
    return until_awaiter<std::uint64_t>(&word, one_sided::comparison::greater_equal, value, where);
  }

  /// Collective: until all PEs of the group have come; what they stored before is seen.
  task<> meet_in_group(site where);

  /// Collective: until all PEs have come.
  task<> meet(site where);

  /// Whether `fold_little` is the way: its PEs look around while they wait, and are a power of two.
  bool folds_in_lines() const;

  /// Collective in the group, of at most `k_line_bytes`: what all have, folded, becomes the value
  /// of each, with the same bits.
  task<> fold_little(std::span<std::byte> value, const fold_bytes& fold, site where);

  /// Awaitable: until the next piece of a turn has come in this round.
  auto arrival(int round, std::size_t turn, site where) {
    return until(mine().boxes[round].arrived[turn],
                 ++received_[static_cast<std::size_t>(round)][turn], where);
  }

  /// Begins a collective of `bytes` bytes on each PE. PEs that meet in different ones end the job,
  /// with an error that names both. Between PEs of a group the marks cost no line of memory.
  void begin(const collective_kind& kind, std::uint64_t bytes, int root, site where);

  // ---- between groups, by leaders, or who stands for them
  /// Sends a piece to the one who stands for another group; when it takes it, it must be the
  /// `piece`th of this round and collective.
  task<> send(int to, int round, std::uint64_t piece, std::span<const std::byte> data, site where);

  /// The next piece of this round, until `taken_from` is called.
  task<std::span<const std::byte>> receive(int round, std::uint64_t piece, std::size_t bytes,
                                           site where);
  void taken_from(int from, int round);

  /// Puts data at the same place of another PE, and says so in this round.
  void put_and_tell(int to, int round, std::uint64_t offset, std::span<const std::byte> data);

  /// Until that has come.
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
  std::uint64_t group_marks_ = 0;  // what a leader has of them, where all match
  std::array<std::uint64_t, k_collective_rounds> far_meetings_{};  // and their marks, of each round
  std::array<std::uint64_t, k_collective_rounds> sent_{};
  std::array<std::array<std::uint64_t, 2>, k_collective_rounds> received_{};  // by turn
  transport::open_operations told_;  // of what tells others, whose answers nobody waits for
};

/// That of this PE, made when it is first asked for.
symmetric_team& team_of_all();

}  // namespace atl::memory
