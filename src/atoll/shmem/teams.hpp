#pragma once
// This file has the table of the teams of which this PE is a member. Each team has a slot of the
// table, with the same number on all members. The handle of a team is the number of its slot plus
// one. Each slot has its own symmetric words, by which the members of the slot's team synchronise
// (meeting.hpp).

#include "atoll/shmem/meeting.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace atl::shmem {

/// Largest number of teams besides SHMEM_TEAM_WORLD and SHMEM_TEAM_SHARED. The limit is 64, because
/// used slots are the bits of one word.
inline constexpr int k_most_teams = 64;

/// Size in bytes of the symmetric memory for the words of all teams. The memory must be zero at the
/// start.
inline constexpr std::size_t k_team_bytes = (2 + k_most_teams) * sizeof(sync_words);

struct team {
  group who{};  ///< members of the team; a slot without members is free
  std::vector<int> listed{};
  shmem_team_t handle = SHMEM_TEAM_INVALID;
  int num_contexts = 0;
  std::atomic<int> contexts = 0;  ///< number of contexts that exist at present
};

/// Makes the predefined teams. Each PE calls this function at the start of a job, after `the_world`
/// is filled in and before any meeting.
void prepare_teams(std::byte* symmetric_block);

/// Returns the team with the handle `handle`. Returns null if the team does not exist or this PE is
/// not a member.
team* find_team(shmem_team_t handle);

/// Returns the members of the team with the handle `handle`. Returns null if the team does not
/// exist or this PE is not a member.
inline const group* members_of(shmem_team_t handle) {
  const team* const found = find_team(handle);
  return found == nullptr ? nullptr : &found->who;
}

/// The C functions on teams return `k_no_team` if the handle is invalid.
inline constexpr int k_no_team = -1;

/// Performs a collective on a team. Returns the value that the C function returns: 0, or
/// `k_no_team`.
template <class Work>
int on_team(const char* call, shmem_team_t handle, const Work& work) {
  const group* const all = members_of(handle);
  if (all == nullptr) return k_no_team;
  work(collective{call, *all});
  return 0;
}

/// Claims slots for `count` new teams, and returns the slots as bits of a word. Returns 0 if too
/// few slots are free. All members of the parent team `of.all` must call this function. All members
/// must describe the same parts in `of.elements` (`number_of`). A PE that will be in none of the
/// new teams passes false for `joins`.
std::uint64_t claim_slots(const collective& of, int count, bool joins);
void give_back_slots(std::uint64_t slots);

/// Makes a team of those members of `parent` that `of` describes. The team gets the slot `slot`,
/// which `claim_slots` has claimed. Returns the handle of the team. Returns SHMEM_TEAM_INVALID if
/// this PE is not a member.
shmem_team_t make_team(int slot, const group& parent, const part& of, int num_contexts);

/// Ends a team and frees its slot.
void end_team(team& one);

}  // namespace atl::shmem
