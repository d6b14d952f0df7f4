#pragma once
// The teams of this PE. Each team has a slot, whose number is the same on all members of the team.
// The handle of a team is the number of its slot plus one. Each slot has its own words for
// meetings.

#include "atoll/shmem/meeting.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace atl::shmem {

/// Largest number of teams besides SHMEM_TEAM_WORLD and SHMEM_TEAM_SHARED. The limit is the number
/// of bits of a word.
inline constexpr int k_most_teams = 64;

/// Size in bytes of the symmetric memory for the meeting words of all teams. The memory is zero at
/// the start.
inline constexpr std::size_t k_team_bytes = (2 + k_most_teams) * sizeof(sync_words);

struct team {
  group who{};  ///< members of the team; the slot is free if there are none
  std::vector<int> listed{};
  shmem_team_t handle = SHMEM_TEAM_INVALID;
  int num_contexts = 0;
  std::atomic<int> contexts = 0;  ///< number of contexts that exist now
};

/// Prepares the predefined teams. Each PE calls it at the start of a job, after `the_world` is
/// filled in and before any meeting.
void prepare_teams(std::byte* symmetric_block);

/// Returns the team of a handle. Returns null if there is no such team, or if this PE is not a
/// member.
team* find_team(shmem_team_t handle);

/// Returns the members of a team, or null if this PE is in no such team.
inline const group* members_of(shmem_team_t handle) {
  const team* const found = find_team(handle);
  return found == nullptr ? nullptr : &found->who;
}

/// Result of the C functions on teams for an invalid handle.
inline constexpr int k_no_team = -1;

/// Performs a collective on a team, and returns the result of the C function.
template <class Work>
int on_team(const char* call, shmem_team_t handle, const Work& work) {
  const group* const all = members_of(handle);
  if (all == nullptr) return k_no_team;
  work(collective{call, *all});
  return 0;
}

/// Claims slots for `count` new teams of the parent's members, and returns them as bits. Returns 0
/// if too few slots are free. All members of the parent call it, and describe the same parts by the
/// elements of `of`. PEs that will be in none of the new teams pass false for `joins`.
std::uint64_t claim_slots(const collective& of, int count, bool joins);
void give_back_slots(std::uint64_t slots);

/// Makes a team of the part `of` of `parent` in a claimed slot. Returns no team if this PE is not a
/// member.
shmem_team_t make_team(int slot, const group& parent, const part& of, int num_contexts);

/// Ends a team and frees its slot.
void end_team(team& one);

}  // namespace atl::shmem
