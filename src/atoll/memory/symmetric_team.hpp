#pragma once
// This file has the base of collectives on symmetric memory, which use loads, stores and one-sided
// access instead of messages. The team is the set of all PEs of the job. PEs that can access each
// other's memory directly form a group. The first PE of each group is the leader of the group,
// which transfers data between groups. A meeting is a barrier. PEs that meet wait for changes of
// words in their symmetric segments.

#include "atoll/memory/collective_call.hpp"
#include "atoll/one_sided.hpp"
#include "atoll/task.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace atl::memory {

/// Number of bytes of a piece. Reductions divide larger data into pieces, because each slot of
/// `collective_words` has the size of a piece.
inline constexpr std::size_t k_collective_piece = 65536;
/// Largest number of rounds of communication between groups. From round to round, the distance
/// between communicating groups doubles, so ten rounds are enough for 1,024 groups. If the number
/// of groups is not a power of two, a reduction needs one more round.
inline constexpr int k_collective_rounds = 11;

/// Number of bytes of data in a `line`. With the data, a number and a mark, a `line` fills a cache
/// line of 64 bytes. A mark is a hash of a collective call. PEs compare the marks of their calls to
/// detect that the calls differ.
inline constexpr std::size_t k_line_bytes = 48;

/// The data at the beginning of each symmetric segment. PEs use the words to meet (to wait in
/// barriers), and to exchange data in collectives. All bytes of `collective_words` are zero when
/// the job starts.
struct collective_words {
  /// A mailbox for data from another group. Two pieces may be in flight at a time and may arrive in
  /// either order, so successive pieces use two slots in turn.
  struct mailbox {
    alignas(64) std::uint64_t arrived[2];  ///< number of pieces that have arrived so far, by slot
    std::uint64_t taken;  ///< number of pieces sent by this PE that the receiver has read
    alignas(64) std::byte pieces[2][k_collective_piece];
  };

  /// A cache line in which one PE of the group notifies another. The line has the number of a
  /// meeting or exchange, the mark of the collective, and up to `k_line_bytes` bytes of data.
  struct alignas(64) line {
    union {
      std::byte data[k_line_bytes];
      std::uint64_t marks[2];  ///< marks (hashes of calls) of the latest two meetings, in turn
    };
    std::uint64_t mark;  ///< mark (hash) of the collective call
    std::uint64_t number;
  };

  /// The latest two collective calls of this PE, stored in turn. PEs compare the marks (hashes) of
  /// their calls. If marks differ, another PE reads this PE's call, so that the error message can
  /// name both calls.
  alignas(64) collective_call called[2];
  /// on a leader: number of arrivals of the group's PEs at meetings
  alignas(64) std::uint64_t arrived;
  std::uint64_t marks;  ///< on a leader: sum of the marks (hashes of calls) of the group's PEs
  /// on a leader: number of the last meeting after which the PEs of the group may continue
  alignas(64) std::uint64_t released;
  /// number of the last broadcast whose data have arrived on this PE
  alignas(64) std::uint64_t ready;
  alignas(64) std::uint64_t met[k_collective_rounds];
  line met_near[k_collective_rounds];
  line exchanged[k_collective_rounds][2];
  /// two slots for this PE's data in reductions, used in turn
  alignas(64) std::byte slots[2][k_collective_piece];
  mailbox boxes[k_collective_rounds];
};

/// Number of bytes at the beginning of a segment that are reserved for `collective_words`.
inline constexpr std::uint64_t k_collective_bytes =
    round_up(sizeof(collective_words), std::size_t{4096});

/// A function that combines the elements at `into` with the elements at `from`, and stores the
/// results at `into`.
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

  /// Returns the collective words of PE `pe`, which must be in the group of this PE.
  collective_words& words(int pe) const;
  collective_words& mine() const { return words(rank_); }

  /// Returns an awaitable that waits until `word` is at least `value`. The word must never
  /// decrease.
  static auto until(const std::uint64_t& word, std::uint64_t value, site where) {
    return until_awaiter<std::uint64_t>(&word, one_sided::comparison::greater_equal, value, where);
  }

  /// Waits until all PEs of the group have called this function. After the call, each PE of the
  /// group sees all stores that other PEs of the group made before their calls.
  task<> meet_in_group(site where);

  /// Waits until all PEs of the job have called this function.
  task<> meet(site where);

  /// Returns true if `fold_little` can be used. Each PE must have a core of its own, on which the
  /// PE polls while it waits. The size of the group must be a power of two.
  bool folds_in_lines() const;

  /// Combines the values of all PEs of the group, at most `k_line_bytes` bytes each. All PEs of the
  /// group must call this function. The result replaces the value of each PE, and has the same bits
  /// on all PEs.
  task<> fold_little(std::span<std::byte> value, const fold_bytes& fold, site where);

  /// Returns an awaitable that waits until the next piece of round `round` has arrived in slot
  /// `turn`.
  auto arrival(int round, std::size_t turn, site where) {
    return until(mine().boxes[round].arrived[turn],
                 ++received_[static_cast<std::size_t>(round)][turn], where);
  }

  /// Records the collective call that this PE begins, with `bytes` bytes of data per PE. When PEs
  /// meet (wait in a barrier), they compare their calls. If PEs meet in different calls, the job
  /// ends with an error that names both calls.
  void begin(const collective_kind& kind, std::uint64_t bytes, int root, site where);

  // The next functions communicate between groups. Only the leader of a group, or the root of the
  // collective, calls the functions.

  /// Sends a piece of data to PE `to`, the leader of another group or the root. `piece` is the
  /// number of the piece within round `round` of the collective, from 0 on.
  task<> send(int to, int round, std::uint64_t piece, std::span<const std::byte> data, site where);

  /// Waits for the next piece of data of round `round`, and returns the piece. The data stay valid
  /// until `taken_from` is called.
  task<std::span<const std::byte>> receive(int round, std::uint64_t piece, std::size_t bytes,
                                           site where);
  void taken_from(int from, int round);

  /// Puts data at the offset `offset` of PE `to`. PE `to` counts the arrival of the data, so that
  /// `told(round)` on PE `to` can wait for the data.
  void put_and_tell(int to, int round, std::uint64_t offset, std::span<const std::byte> data);

  /// Returns an awaitable that waits until data of `put_and_tell` have arrived in round `round`.
  auto told(int round, site where) { return arrival(round, 0, where); }

  std::uint64_t broadcasts = 0;     ///< number of broadcasts begun so far
  std::uint64_t contributions = 0;  ///< number of pieces stored in this PE's slots so far

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
  const bool looks_around_;  // true if each PE has a core of its own, and may poll
  std::size_t place_ = 0;
  std::vector<int> group_of_;  // by PE
  std::vector<int> leaders_;   // by group
  std::vector<int> members_;   // the PEs of this PE's group, in ascending order
  std::uint64_t meetings_ = 0;
  std::uint64_t near_meetings_ = 0;
  std::uint64_t exchanges_ = 0;
  std::uint64_t begun_ = 0;        // number of collectives begun
  std::uint64_t mark_ = 0;         // mark (hash) of the present call, less than 2^16
  std::uint64_t group_marks_ = 0;  // expected value of the leader's `marks`
  // expected value of `met`, by round
  std::array<std::uint64_t, k_collective_rounds> far_meetings_{};
  std::array<std::uint64_t, k_collective_rounds> sent_{};
  // number of pieces received, by round and slot
  std::array<std::array<std::uint64_t, 2>, k_collective_rounds> received_{};
  transport::open_operations told_;  // notifications in flight, which no task awaits
};

/// Returns this PE's team object. The first call makes the object.
symmetric_team& team_of_all();

}  // namespace atl::memory
