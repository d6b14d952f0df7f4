#pragma once
// How PEs wait: for memory that others store to, and for the other members of a collective.

#include "atoll/shmem/include/shmem/collectives.h"
#include "atoll/shmem/world.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace atl::shmem {

// Waiting for memory of this PE that another one stores to.

/// Returns when `holds(of)` does. Looks around, gives the core away, and sleeps after a while; puts
/// and atomics of others wake it, other stores are found within about a millisecond.
void wait_until(const char* call, bool (*holds)(const void* of), const void* of);

/// Returns when `condition()`, which looks at memory, is true.
template <class Condition>
void wait_for(const char* call, const Condition& condition) {
  constexpr int k_quick_looks = 32;
  for (int i = 0; i < k_quick_looks; ++i)
    if (condition()) return;
  wait_until(
      call, [](const void* of) { return (*static_cast<const Condition*>(of))(); }, &condition);
}

/// For calls that look once, behind a look in vain: programs call them again and again, and what
/// they look for may need the core, or what this PE has asked for.
void let_others_go_on(const char* call);

/// The word as it is now; what was put before it is seen as well.
template <class T>
T look(const volatile T* at) {
  static_assert(std::is_arithmetic_v<T>);
  return __atomic_load_n(const_cast<const T*>(at), __ATOMIC_ACQUIRE);
}

// Who takes part in a collective, be it a team or an active set, and the words by which they meet.

/// What each member has of them: an array as programs hand it over (pSync) for active sets. All
/// zero before a collective, and behind it, so that it can be used again at once.
struct sync_words {
  long entered;   ///< children in the tree that have come to a meeting
  long left;      ///< children that need nothing more of the others
  long released;  ///< 1: all have come
  long told;      ///< 1, at the root of a broadcast: all have left
  long bytes;     ///< what this member contributes to a collection
  // The call that this member waits in, for others that wait in another one.
  long call;      ///< its name, a constant of this library, counted from `k_calls_begin`; 0: none
  long elements;  ///< of the call, if it has any
  long root;      ///< and its root
  std::byte data[448];  ///< of children, in places of equal size; or of all, from the parent
};
static_assert(sizeof(sync_words) == SHMEM_SYNC_SIZE * sizeof(long));

/// PEs of the job: every `stride`th from `start` on, or those of a list.
struct group {
  int start = 0;
  int stride = 1;
  int size = 0;
  std::span<const int> listed{};  ///< where they are no such progression
  int me = 0;                     ///< the number of this PE among them
  sync_words* words = nullptr;

  int pe_of(int number) const {
    return listed.empty() ? start + number * stride : listed[static_cast<std::size_t>(number)];
  }
  /// -1: it is none of them.
  int number_of(int pe) const;
};

/// Some members of a group: every `stride`th from `start` on. The stride is not 0.
struct part {
  int start;
  int stride;
  int size;
};

/// A part of a group as a number, never 0, that stands for the elements of the call that makes a
/// team of it; and back.
constexpr std::size_t number_of(const part& one) {
  return static_cast<std::size_t>(static_cast<std::uint16_t>(one.start)) |
         static_cast<std::size_t>(static_cast<std::uint16_t>(one.size)) << 16 |
         static_cast<std::size_t>(one.stride + (1 << 16)) << 32;
}
constexpr part part_of(std::size_t number) {
  return {static_cast<std::uint16_t>(number), static_cast<int>(number >> 32) - (1 << 16),
          static_cast<std::uint16_t>(number >> 16)};
}

/// Whose target gets the result of a collective, where it is not one member.
inline constexpr int k_everyone = -1;

/// A call in which all members of a group take part.
struct collective {
  const char* call;  ///< its name, for what is said about it
  const group& all;
  std::size_t elements = 0;  ///< where all members give as many; of a split, `number_of` its part
  int root = k_everyone;

  collective with(std::size_t count, int of_root = k_everyone) const {
    return {call, all, count, of_root};
  }
};

// How the members of a group wait for each other: along a tree in which the parent of a member has
// its number without the lowest octal digit that is not 0, so that neighbors, who are often on one
// node, are near in it. All members call each, in the same order; each blocks. Members that meet in
// different calls, or with different numbers of elements or roots, end the job: each says in the
// counter that it adds to which call it is in.

/// Folds elements into as many others; both are aligned.
using fold_elements = void (*)(void* into, const void* from, std::size_t elements);

/// Returns when all have come. What they stored before is seen; what they put to far PEs, once they
/// have called `quiet` before.
void meet(const collective& of);

/// How many bytes of a value `meet_with` carries: some hundred in small groups, at least 8 in any.
std::size_t most_carried(const group& all);

/// As `meet`, and carries a little data: the values of all, folded, become that of each, with the
/// same bits.
void meet_with(const collective& of, void* value, std::size_t elements, std::size_t element_bytes,
               fold_elements fold);

/// As `meet`, but only `root` waits for the others. Between two of these there is a meeting.
void meet_at(const collective& of, int root);

/// The bits that are set on any member.
std::uint64_t bits_of_all(const collective& of, std::uint64_t bits);

}  // namespace atl::shmem
