#pragma once
// A team is all PEs of a job, as collectives on symmetric memory see them. PEs that can access each
// other's memory form a group. Each group has a leader, which transfers data between groups. PEs
// meet, which means that they wait for each other, by words in their symmetric segments.

#include "atoll/memory/collective_call.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/task.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace atl::memory {

/// Largest size in bytes of a piece of data that a collective passes through `collective_words`.
inline constexpr std::size_t k_collective_piece = 65536;
/// Number of rounds of an exchange between groups. Ten rounds are enough for 1,024 PEs, and one
/// more is for groups beyond a power of two.
inline constexpr int k_collective_rounds = 11;

/// Number of bytes of data that fit into a cache line, together with the word that announces them
/// and a mark. A mark is a hash of a collective call, by which PEs find out that their calls
/// differ.
inline constexpr std::size_t k_line_bytes = 48;

/// The words at the beginning of each symmetric segment. All words are zero at the start.
struct collective_words {
  /// A mailbox for data from another group. Pieces use two alternating slots, because two pieces in
  /// flight may arrive in either order.
  struct mailbox {
    alignas(64) std::uint64_t arrived[2];  ///< pieces that have arrived per slot so far
    std::uint64_t taken;  ///< pieces sent in this round that the receiver has taken
    alignas(64) std::byte pieces[2][k_collective_piece];
  };

  /// A cache line that one PE of the group writes for another. The line has the number of a meeting
  /// or exchange, the mark of the collective, and a little data.
  struct alignas(64) line {
    union {
      std::byte data[k_line_bytes];
      std::uint64_t marks[2];  ///< marks of meetings, alternating
    };
    std::uint64_t mark;  ///< mark of the exchange
    std::uint64_t number;
  };

  /// The latest two calls of this PE, alternating. A PE with another mark reads the call to name
  /// the difference.
  alignas(64) collective_call called[2];
  alignas(64) std::uint64_t arrived;   ///< on a leader: arrivals of PEs of its group at meetings
  std::uint64_t marks;                 ///< on a leader: sum of the marks of these PEs
  alignas(64) std::uint64_t released;  ///< on a leader: the last meeting that may be left
  alignas(64) std::uint64_t ready;     ///< number of the last broadcast whose data are here
  alignas(64) std::uint64_t met[k_collective_rounds];
  line met_near[k_collective_rounds];
  line exchanged[k_collective_rounds][2];
  /// two slots for contributions to reductions, used in turn
  alignas(64) std::byte slots[2][k_collective_piece];
  mailbox boxes[k_collective_rounds];
};

/// Number of bytes at the beginning of a segment that are reserved for the collective words.
inline constexpr std::uint64_t k_collective_bytes =
    round_up(sizeof(collective_words), std::size_t{4096});

/// A function that combines the elements at `into` with those at `from`, and stores the results at
/// `into`.
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

  /// Returns the words of PE `pe`, which must be in the group of this PE.
  collective_words& words(int pe) const;
  collective_words& mine() const { return words(rank_); }

  /// Waits until `word`, which only grows, has reached `value`. Returns an awaitable.
  static auto until(const std::uint64_t& word, std::uint64_t value, site where) {
    return until_awaiter<std::uint64_t>(&word, one_sided::comparison::greater_equal, value, where);
  }

  /// Waits until all PEs of the group have called this function. Stores that these PEs made before
  /// the call are visible then.
  task<> meet_in_group(site where);

  /// Waits until all PEs of the job have called this function.
  task<> meet(site where);

  /// Returns true if `fold_little` can be used. The PEs must have cores of their own, on which they
  /// poll while they wait. The size of the group must be a power of two.
  bool folds_in_lines() const;

  /// Combines the values of all PEs of the group, at most `k_line_bytes` bytes each. All PEs of the
  /// group must call this function. The result, with the same bits on all PEs, replaces the value
  /// of each PE.
  task<> fold_little(std::span<std::byte> value, const fold_bytes& fold, site where);

  /// Waits until the next piece of data for the slot `turn` has arrived in this round. Returns an
  /// awaitable.
  auto arrival(int round, std::size_t turn, site where) {
    return until(mine().boxes[round].arrived[turn],
                 ++received_[static_cast<std::size_t>(round)][turn], where);
  }

  /// Begins a collective of `bytes` bytes on each PE. PEs that meet in different calls end the job
  /// with an error that names both calls. Within a group, this check needs no additional cache
  /// line.
  void begin(const collective_kind& kind, std::uint64_t bytes, int root, site where);

  // ---- between groups: the leader of a group, or the root, calls the next functions
  /// Sends a piece of data to PE `to`, the leader of another group or the root. `piece` counts the
  /// pieces that the receiver gets in this round of this collective.
  task<> send(int to, int round, std::uint64_t piece, std::span<const std::byte> data, site where);

  /// Waits for the next piece of data of this round, and returns it. The data stay valid until
  /// `taken_from` is called.
  task<std::span<const std::byte>> receive(int round, std::uint64_t piece, std::size_t bytes,
                                           site where);
  void taken_from(int from, int round);

  /// Puts data at the offset `offset` of PE `to`, and announces the data there in this round.
  void put_and_tell(int to, int round, std::uint64_t offset, std::span<const std::byte> data);

  /// Waits until data of `put_and_tell` have arrived in this round. Returns an awaitable.
  auto told(int round, site where) { return arrival(round, 0, where); }

  std::uint64_t broadcasts = 0;     ///< broadcasts begun so far
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
  const bool looks_around_;  // whether each PE has a core of its own
  std::size_t place_ = 0;
  std::vector<int> group_of_;  // by PE
  std::vector<int> leaders_;   // by group
  std::vector<int> members_;   // PEs of this PE's group
  std::uint64_t meetings_ = 0;
  std::uint64_t near_meetings_ = 0;
  std::uint64_t exchanges_ = 0;
  std::uint64_t begun_ = 0;        // number of collectives begun
  std::uint64_t mark_ = 0;         // mark of the present collective, less than 2^16
  std::uint64_t group_marks_ = 0;  // expected sum of marks at the leader
  // expected sums of meetings and marks, by round
  std::array<std::uint64_t, k_collective_rounds> far_meetings_{};
  std::array<std::uint64_t, k_collective_rounds> sent_{};
  // pieces received, by round and slot
  std::array<std::array<std::uint64_t, 2>, k_collective_rounds> received_{};
  transport::open_operations told_;  // announcements in flight, which no task awaits
};

/// Returns the team of all PEs, which the first call makes.
symmetric_team& team_of_all();

}  // namespace atl::memory
