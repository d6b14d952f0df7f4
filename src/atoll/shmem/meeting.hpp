#pragma once
// Waits of PEs: for memory to which others store, and for the other members of a collective.

#include "atoll/shmem/include/shmem/collectives.h"
#include "atoll/shmem/world.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace atl::shmem {

// Waits for memory of this PE to which another PE stores.

/// Returns when `holds(of)` is true. Polls, then yields the core, and sleeps after a while. Puts
/// and atomics of others wake it; other stores are found within about a millisecond.
void wait_until(const char* call, bool (*holds)(const void* of), const void* of);

/// Returns when `condition()`, which reads memory, is true.
template <class Condition>
void wait_for(const char* call, const Condition& condition) {
  constexpr int k_quick_looks = 32;
  for (int i = 0; i < k_quick_looks; ++i)
    if (condition()) return;
  wait_until(
      call, [](const void* of) { return (*static_cast<const Condition*>(of))(); }, &condition);
}

/// Lets other PEs and this PE's scheduler go on. Calls that test once use it after a failed test,
/// because programs call them repeatedly. The change that they test for may need the core, or
/// operations of this PE.
void let_others_go_on(const char* call);

/// Returns the present value of a word. Everything that was put before it is visible as well.
template <class T>
T look(const volatile T* at) {
  static_assert(std::is_arithmetic_v<T>);
  return __atomic_load_n(const_cast<const T*>(at), __ATOMIC_ACQUIRE);
}

// The members of a collective, on a team or an active set, and the words by which they meet.

/// The words of each member. Active sets use an array of the program (pSync). All words are zero
/// before and after a collective, so that they can be used again at once.
struct sync_words {
  long entered;   ///< children in the tree that have come to a meeting
  long left;      ///< children that need nothing more from the others
  long released;  ///< 1: all have come
  long told;      ///< 1, at the root of a broadcast: all have left
  long bytes;     ///< what this member contributes to a collection
  // The call in which this member waits, for members that wait in another call.
  long call;      ///< its name, a constant of this library, counted from `k_calls_begin`; 0: none
  long elements;  ///< of the call, if it has any
  long root;      ///< and its root
  std::byte data[448];  ///< from children, in places of equal size; or from the parent, for all
};
static_assert(sizeof(sync_words) == SHMEM_SYNC_SIZE * sizeof(long));

/// PEs of the job: every `stride`th from `start` on, or those of a list.
struct group {
  int start = 0;
  int stride = 1;
  int size = 0;
  std::span<const int> listed{};  ///< if they are no such progression
  int me = 0;                     ///< the number of this PE among them
  sync_words* words = nullptr;

  int pe_of(int number) const {
    return listed.empty() ? start + number * stride : listed[static_cast<std::size_t>(number)];
  }
  /// Returns the number of PE `pe` in the group, or -1 if it is no member.
  int number_of(int pe) const;
};

/// Some members of a group: every `stride`th from `start` on. The stride is not 0.
struct part {
  int start;
  int stride;
  int size;
};

/// Encodes a part of a group as a number, never 0. The number stands for the elements of a call
/// that makes a team of the part. The function `part_of` decodes it.
constexpr std::size_t number_of(const part& one) {
  return static_cast<std::size_t>(static_cast<std::uint16_t>(one.start)) |
         static_cast<std::size_t>(static_cast<std::uint16_t>(one.size)) << 16 |
         static_cast<std::size_t>(one.stride + (1 << 16)) << 32;
}
constexpr part part_of(std::size_t number) {
  return {static_cast<std::uint16_t>(number), static_cast<int>(number >> 32) - (1 << 16),
          static_cast<std::uint16_t>(number >> 16)};
}

/// Stands for all members as receivers of the result of a collective.
inline constexpr int k_everyone = -1;

/// A call in which all members of a group take part.
struct collective {
  const char* call;  ///< its name, for messages
  const group& all;
  std::size_t elements = 0;  ///< if equal on all members; for a split, `number_of` its part
  int root = k_everyone;

  collective with(std::size_t count, int of_root = k_everyone) const {
    return {call, all, count, of_root};
  }
};

// Meetings of the members of a group along a tree. The number of a member's parent is its own
// without the lowest octal digit that is not 0. Neighbors, which are often on one node, are
// therefore close in the tree. All members call each function, in the same order; each call blocks.
// Each member adds the mark of its call to a counter. If members meet in different calls, or with
// different numbers of elements or roots, the job ends.

/// A function that folds elements into as many others; both are aligned.
using fold_elements = void (*)(void* into, const void* from, std::size_t elements);

/// Returns when all members have come. Their earlier stores are visible then. Their earlier puts to
/// far PEs are visible if they called `quiet` first.
void meet(const collective& of);

/// Returns the bytes of a value that `meet_with` carries: some hundred in small groups, at least 8
/// in any group.
std::size_t most_carried(const group& all);

/// Returns when all members have come. The values of all members are folded, and the result becomes
/// the value of each, with the same bits.
void meet_with(const collective& of, void* value, std::size_t elements, std::size_t element_bytes,
               fold_elements fold);

/// Counts this member; only `root` waits until all members have come. Between two calls there must
/// be a meeting.
void meet_at(const collective& of, int root);

/// Returns the bits that are set on any member.
std::uint64_t bits_of_all(const collective& of, std::uint64_t bits);

}  // namespace atl::shmem
