#pragma once
// This file has functions by which a PE waits: for stores of other PEs to its memory, and for the
// other members of a collective.

#include "atoll/shmem/include/shmem/collectives.h"
#include "atoll/shmem/world.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace atl::shmem {

// The next functions wait for a change of this PE's memory by another PE.

/// Waits until `holds(of)` is true. The caller first polls, then yields its core, and at last
/// sleeps. If the caller is the PE's own thread, puts and atomic operations of other PEs wake the
/// caller. A change by other means is noticed within about a millisecond.
void wait_until(const char* call, bool (*holds)(const void* of), const void* of);

/// Waits until `condition()` is true. The condition reads memory that other PEs change.
template <class Condition>
void wait_for(const char* call, const Condition& condition) {
  constexpr int k_quick_looks = 32;
  for (int i = 0; i < k_quick_looks; ++i)
    if (condition()) return;
  wait_until(
      call, [](const void* of) { return (*static_cast<const Condition*>(of))(); }, &condition);
}

/// Lets other PEs run, and sends this PE's buffered operations. Functions such as `shmem_test` call
/// this function after a failed test, because programs call them in a loop. The change for which
/// the program tests may depend on a PE that needs the core, or on an operation that is still
/// buffered.
void let_others_go_on(const char* call);

/// Returns the value of a word. If another PE has stored the returned value, the data that it put
/// before the store are visible, too.
template <class T>
T look(const volatile T* at) {
  static_assert(std::is_arithmetic_v<T>);
  return __atomic_load_n(const_cast<const T*>(at), __ATOMIC_ACQUIRE);
}

// The next types describe the group of members of a collective, on a team or on an active set, and
// the words for their synchronization.

/// The words of a member for the synchronization of its group. For active sets, the words lie in an
/// array of the program (pSync). All words are zero before and after a collective, so that the next
/// collective can use the words at once.
struct sync_words {
  long entered;   ///< counts the children in the tree that have arrived at a meeting
  long left;      ///< counts the children in the tree that no longer read other members' data
  long released;  ///< 1 when all members have arrived
  long told;      ///< at the root of a broadcast: 1 when no member reads the root's source any more
  long bytes;     ///< number of bytes that this member contributes to a collection
  // The next three words describe the call in which this member waits. A member in a different call
  // reads the description for its error message.
  /// Name of the call, as the offset of a constant from `k_calls_begin`; 0 if this member is in no
  /// call.
  long call;
  long elements;  ///< number of elements of the call, if it has one
  long root;      ///< root of the call
  /// Data from the children in the tree, in slots of equal size. After the data are combined, slot
  /// 0 has the result from the parent.
  std::byte data[448];
};
static_assert(sizeof(sync_words) == SHMEM_SYNC_SIZE * sizeof(long));

/// A group of `size` PEs of the job: every `stride`th PE from `start` on, or the PEs in `listed`.
struct group {
  int start = 0;
  int stride = 1;
  int size = 0;
  std::span<const int> listed{};  ///< list of the PEs; empty if the PEs are equally far apart
  int me = 0;                     ///< number of this PE in the group
  sync_words* words = nullptr;

  int pe_of(int number) const {
    return listed.empty() ? start + number * stride : listed[static_cast<std::size_t>(number)];
  }
  /// Returns the number of PE `pe` in the group, or -1 if the PE is not a member.
  int number_of(int pe) const;
};

/// Some members of a group: `size` members, which are every `stride`th member from `start` on.
struct part {
  int start;
  int stride;
  int size;
};

/// Encodes a part of a group as a number that is never 0. Calls that split a team pass the encoded
/// part as their number of elements, so that meetings (barriers) compare the parts. The function
/// `part_of` decodes the number.
constexpr std::size_t number_of(const part& one) {
  return static_cast<std::size_t>(static_cast<std::uint16_t>(one.start)) |
         static_cast<std::size_t>(static_cast<std::uint16_t>(one.size)) << 16 |
         static_cast<std::size_t>(one.stride + (1 << 16)) << 32;
}
constexpr part part_of(std::size_t number) {
  return {static_cast<std::uint16_t>(number), static_cast<int>(number >> 32) - (1 << 16),
          static_cast<std::uint16_t>(number >> 16)};
}

/// The root `k_everyone` means that all members get the result of a collective.
inline constexpr int k_everyone = -1;

/// A collective call that all members of a group make.
struct collective {
  const char* call;  ///< name of the call, for error messages
  const group& all;
  /// Number of elements, or 0 if the number may differ between members. For a split of a team, the
  /// encoded part (`number_of`).
  std::size_t elements = 0;
  int root = k_everyone;

  collective with(std::size_t count, int of_root = k_everyone) const {
    return {call, all, count, of_root};
  }
};

// A meeting is a barrier of the members of a group, along a tree. The number of a member's parent
// is the member's own number with the lowest nonzero octal digit replaced by 0. Members with
// adjacent numbers, which are often on the same node, are therefore close in the tree. All members
// must call the next functions in the same order. Each of the functions blocks. If members meet in
// different calls, or with different numbers of elements or roots, the job ends with an error. To
// detect different calls, each member adds a mark, a hash of its call, to a counter.

/// A function that combines the `elements` elements at `from` with the elements at `into`, and
/// stores the results at `into`. Both arrays are aligned.
using fold_elements = void (*)(void* into, const void* from, std::size_t elements);

/// Waits until all members have called `meet`. After the call, each member sees all stores that
/// other members made before their calls. A put to another node is visible after the call only if
/// the putting member called `quiet` after the put.
void meet(const collective& of);

/// Returns the largest size in bytes of a value for `meet_with`. The size is a few hundred bytes
/// for small groups, and at least 8 bytes for any group.
std::size_t most_carried(const group& all);

/// Waits until all members have called `meet_with`, and combines their values. The result replaces
/// `value` of every member, and has the same bits on all members.
void meet_with(const collective& of, void* value, std::size_t elements, std::size_t element_bytes,
               fold_elements fold);

/// Member `root` waits until all members have called `meet_at`. The other members only report their
/// arrival and return without waiting for `root`. Between two calls of `meet_at`, the members must
/// call `meet`.
void meet_at(const collective& of, int root);

/// Returns the bitwise or of `bits` of all members.
std::uint64_t bits_of_all(const collective& of, std::uint64_t bits);

}  // namespace atl::shmem
