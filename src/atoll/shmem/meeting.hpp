#pragma once
// Waits of PEs: for stores of other PEs to memory, and for the other members of a collective.

#include "atoll/shmem/include/shmem/collectives.h"
#include "atoll/shmem/world.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace atl::shmem {

// Waits for memory of this PE that another PE changes.

/// Returns when `holds(of)` is true. The call polls, then yields the core, and sleeps after a
/// while. Puts and atomic operations of other PEs wake the caller. The caller notices other stores
/// within about a millisecond.
void wait_until(const char* call, bool (*holds)(const void* of), const void* of);

/// Returns when `condition()` is true. The condition reads memory that other PEs change.
template <class Condition>
void wait_for(const char* call, const Condition& condition) {
  constexpr int k_quick_looks = 32;
  for (int i = 0; i < k_quick_looks; ++i)
    if (condition()) return;
  wait_until(
      call, [](const void* of) { return (*static_cast<const Condition*>(of))(); }, &condition);
}

/// Lets other PEs and this PE's scheduler run. A call that tests a variable once uses this function
/// after a failed test, because programs repeat such calls in a loop. The awaited change may need
/// the core, or may depend on operations that this PE has not sent yet.
void let_others_go_on(const char* call);

/// Returns the value of a word. Data that were put before the value are visible as well.
template <class T>
T look(const volatile T* at) {
  static_assert(std::is_arithmetic_v<T>);
  return __atomic_load_n(const_cast<const T*>(at), __ATOMIC_ACQUIRE);
}

// The members of a collective on a team or on an active set, and the words for their
// synchronization.

/// The words of each member. Active sets use an array of the program (pSync). All words are zero
/// before and after a collective, so that the next collective can use them at once.
struct sync_words {
  long entered;   ///< children in the tree that have arrived at a meeting
  long left;      ///< children in the tree that need nothing more from other members
  long released;  ///< 1 after all members have arrived
  long told;      ///< at the root of a broadcast: 1 after no member needs its source any more
  long bytes;     ///< number of bytes that this member contributes to a collection
  // Description of the call in which this member waits. Other members read it for an error message
  // if they are in a different call.
  /// Name of the call, as the offset of a constant from `k_calls_begin`; 0 if there is none.
  long call;
  long elements;  ///< number of elements of the call, if it has one
  long root;      ///< root of the call
  /// Data of children, in slots of equal size; or data for all members from the parent.
  std::byte data[448];
};
static_assert(sizeof(sync_words) == SHMEM_SYNC_SIZE * sizeof(long));

/// PEs of the job: every `stride`th PE from `start` on, or the PEs of a list.
struct group {
  int start = 0;
  int stride = 1;
  int size = 0;
  std::span<const int> listed{};  ///< the PEs, if they are not equally far apart
  int me = 0;                     ///< number of this PE in the group
  sync_words* words = nullptr;

  int pe_of(int number) const {
    return listed.empty() ? start + number * stride : listed[static_cast<std::size_t>(number)];
  }
  /// Returns the number of PE `pe` in the group, or -1 if the PE is not a member.
  int number_of(int pe) const;
};

/// Some members of a group: every `stride`th member from `start` on. The stride is not 0.
struct part {
  int start;
  int stride;
  int size;
};

/// Encodes a part of a group as a number that is never 0. Calls that make a team of the part use
/// this number as their number of elements. The function `part_of` decodes the number.
constexpr std::size_t number_of(const part& one) {
  return static_cast<std::size_t>(static_cast<std::uint16_t>(one.start)) |
         static_cast<std::size_t>(static_cast<std::uint16_t>(one.size)) << 16 |
         static_cast<std::size_t>(one.stride + (1 << 16)) << 32;
}
constexpr part part_of(std::size_t number) {
  return {static_cast<std::uint16_t>(number), static_cast<int>(number >> 32) - (1 << 16),
          static_cast<std::uint16_t>(number >> 16)};
}

/// Value of a root that means that all members get the result of a collective.
inline constexpr int k_everyone = -1;

/// A collective call that all members of a group make.
struct collective {
  const char* call;  ///< name of the call, for messages
  const group& all;
  /// Number of elements, if equal on all members; for a split, the encoded part (`number_of`).
  std::size_t elements = 0;
  int root = k_everyone;

  collective with(std::size_t count, int of_root = k_everyone) const {
    return {call, all, count, of_root};
  }
};

// Meetings of the members of a group along a tree. The number of a member's parent is the member's
// own number with its lowest nonzero octal digit set to 0. Members with adjacent numbers, which are
// often on the same node, are therefore close in the tree. All members call each function, in the
// same order, and each call blocks. Each member adds a mark of its call to a counter. The job ends
// if members meet in different calls, or with different numbers of elements or roots.

/// A function that combines `elements` elements of `from` into those of `into`. Both arrays are
/// aligned.
using fold_elements = void (*)(void* into, const void* from, std::size_t elements);

/// Returns when all members have arrived. Stores of members before the call are then visible. Puts
/// to PEs on other nodes are visible if the member called `quiet` before.
void meet(const collective& of);

/// Returns the largest size in bytes of a value for `meet_with`. The size is a few hundred bytes in
/// small groups, and at least 8 bytes in any group.
std::size_t most_carried(const group& all);

/// Returns when all members have arrived. The values of all members are combined, and every member
/// gets the result with the same bits.
void meet_with(const collective& of, void* value, std::size_t elements, std::size_t element_bytes,
               fold_elements fold);

/// Waits at `root` until all members have arrived. Other members only report their arrival and do
/// not wait. Between two calls the members must meet.
void meet_at(const collective& of, int root);

/// Returns the bits that are set in `bits` of any member.
std::uint64_t bits_of_all(const collective& of, std::uint64_t bits);

}  // namespace atl::shmem
