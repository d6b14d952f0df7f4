#pragma once
// The teams this PE is in. A team is known by the number of its slot, which is the same on all its
// members; its handle is that number and one. Each slot has words of its own to meet at.

#include "atoll/shmem/group.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace atl::shmem {

/// Besides SHMEM_TEAM_WORLD and SHMEM_TEAM_SHARED; as many as a word has bits.
inline constexpr int k_most_teams = 64;

/// Of symmetric memory, zero at the start.
inline constexpr std::size_t k_team_bytes = (2 + k_most_teams) * sizeof(sync_words);

struct team {
  group who{};  ///< without members: there is none in this slot
  std::vector<int> listed{};
  shmem_team_t handle = SHMEM_TEAM_INVALID;
  int num_contexts = 0;
  std::atomic<int> contexts = 0;  ///< that exist now
};

/// Called at the start of a job, by each PE, when `the_world` is known and before anybody meets.
void prepare_teams(std::byte* symmetric_block);

/// Null: there is no such team, or this PE is not in it.
team* find_team(shmem_team_t handle);

/// Who it is; null where there is no such team.
inline const group* members_of(shmem_team_t handle) {
  const team* const found = find_team(handle);
  return found == nullptr ? nullptr : &found->who;
}

/// What functions of the C interface return that want a team, and get none.
inline constexpr int k_no_team = -1;

/// Does a collective on a team; what the function of the C interface returns.
template <class Work>
int on_team(const char* call, shmem_team_t handle, const Work& work) {
  const group* const all = members_of(handle);
  if (all == nullptr) return k_no_team;
  work(collective{call, *all});
  return 0;
}

/// Slots that `count` new teams of the parent's members take, as bits; 0: there are not as many.
/// Collective in the parent, whose members all name the same parts by the elements of `of`. Those
/// who will not be in one do not join.
std::uint64_t claim_slots(const collective& of, int count, bool joins);
void give_back_slots(std::uint64_t slots);

/// Makes a team of these in a slot that was claimed for it, or nothing where this PE is none of
/// them.
shmem_team_t make_team(int slot, const group& parent, const part& of, int num_contexts);

/// Returns its slot.
void end_team(team& one);

}  // namespace atl::shmem
