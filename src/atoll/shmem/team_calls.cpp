// Team management: chapter 9.4 of OpenSHMEM 1.5.

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/errors.hpp"
#include "atoll/shmem/teams.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace atl::shmem {
namespace {

/// Returns the number of contexts that a configuration requests for a new team. Returns 0 if `mask`
/// says that the number is not set, and a negative number if the configuration is invalid. A
/// program may later create more contexts on the team than requested.
int contexts_of(const shmem_team_config_t* config, long mask) {
  if ((mask & SHMEM_TEAM_NUM_CONTEXTS) == 0) return 0;
  return config == nullptr ? -1 : config->num_contexts;
}

bool is_part_of(const group& parent, const part& asked) {
  if (asked.size < 1 || asked.size > parent.size) return false;
  if (asked.stride == 0 && asked.size > 1) return false;
  const auto exists = [&](long number) { return number >= 0 && number < parent.size; };
  return exists(asked.start) && exists(asked.start + (asked.size - 1L) * asked.stride);
}

int split_strided(const char* call, const group& parent, part asked, int num_contexts,
                  shmem_team_t* into) {
  if (!is_part_of(parent, asked) || num_contexts < 0) return k_no_team;
  if (asked.size == 1) asked.stride = 1;
  const bool joins = group{asked.start, asked.stride, asked.size}.number_of(parent.me) != -1;
  const std::uint64_t slot = claim_slots({call, parent, number_of(asked)}, 1, joins);
  if (slot == 0) return k_no_team;
  *into = make_team(std::countr_zero(slot), parent, asked, num_contexts);
  return 0;
}

/// The requested properties of a team along one axis of a split, and the variable for the team's
/// handle.
struct axis {
  int num_contexts;
  shmem_team_t* into;
};

int split_2d(const char* call, const group& parent, int xrange, const axis& x, const axis& y) {
  if (xrange < 1 || x.num_contexts < 0 || y.num_contexts < 0) return k_no_team;
  const int width = std::min(xrange, parent.size);
  const std::uint64_t slots = claim_slots({call, parent, number_of(part{0, 0, width})}, 2, true);
  if (slots == 0) return k_no_team;
  const int column = parent.me % width;
  const int first_in_row = parent.me - column;
  const part row{first_in_row, 1, std::min(width, parent.size - first_in_row)};
  const part whole_column{column, width, (parent.size - column + width - 1) / width};
  *x.into = make_team(std::countr_zero(slots), parent, row, x.num_contexts);
  *y.into = make_team(std::bit_width(slots) - 1, parent, whole_column, y.num_contexts);
  return 0;
}

/// Ends the job with an error if the team is predefined, does not exist, or still has contexts.
/// Only debug builds call this function.
void check_destroyed(shmem_team_t handle) {
  constexpr const char* call = "shmem_team_destroy";
  if (handle == SHMEM_TEAM_WORLD || handle == SHMEM_TEAM_SHARED)
    refuse(call, "predefined teams cannot be destroyed");
  const team* const one = find_team(handle);
  if (one == nullptr) refuse(call, fmt::format("there is no team {}", fmt::ptr(handle)));
  if (one->contexts != 0)
    refuse(call, fmt::format("the team still has {} contexts", one->contexts.load()));
}

}  // namespace
}  // namespace atl::shmem

using namespace atl::shmem;

ATOLL_SHMEM_DEFINE(int, shmem_team_my_pe, (shmem_team_t team)) {
  const auto* const who = members_of(team);
  return who == nullptr ? -1 : who->me;
}

ATOLL_SHMEM_DEFINE(int, shmem_team_n_pes, (shmem_team_t team)) {
  const auto* const who = members_of(team);
  return who == nullptr ? -1 : who->size;
}

ATOLL_SHMEM_DEFINE(int, shmem_team_get_config,
                   (shmem_team_t team, long config_mask, shmem_team_config_t* config)) {
  const auto* const one = find_team(team);
  if (one == nullptr) return k_no_team;
  if ((config_mask & SHMEM_TEAM_NUM_CONTEXTS) == 0) return 0;
  if (config == nullptr) return k_no_team;
  config->num_contexts = one->num_contexts;
  return 0;
}

ATOLL_SHMEM_DEFINE(int, shmem_team_translate_pe,
                   (shmem_team_t src_team, int src_pe, shmem_team_t dest_team)) {
  const auto* const from = members_of(src_team);
  const auto* const to = members_of(dest_team);
  if (from == nullptr || to == nullptr || src_pe < 0 || src_pe >= from->size) return -1;
  return to->number_of(from->pe_of(src_pe));
}

ATOLL_SHMEM_DEFINE(int, shmem_team_split_strided,
                   (shmem_team_t parent_team, int start, int stride, int size,
                    const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team)) {
  *new_team = SHMEM_TEAM_INVALID;
  const auto* const parent = members_of(parent_team);
  if (parent == nullptr) return k_no_team;
  return split_strided("shmem_team_split_strided", *parent, {start, stride, size},
                       contexts_of(config, config_mask), new_team);
}

ATOLL_SHMEM_DEFINE(int, shmem_team_split_2d,
                   (shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config,
                    long xaxis_mask, shmem_team_t* xaxis_team,
                    const shmem_team_config_t* yaxis_config, long yaxis_mask,
                    shmem_team_t* yaxis_team)) {
  *xaxis_team = SHMEM_TEAM_INVALID;
  *yaxis_team = SHMEM_TEAM_INVALID;
  const auto* const parent = members_of(parent_team);
  if (parent == nullptr) return k_no_team;
  return split_2d("shmem_team_split_2d", *parent, xrange,
                  {contexts_of(xaxis_config, xaxis_mask), xaxis_team},
                  {contexts_of(yaxis_config, yaxis_mask), yaxis_team});
}

ATOLL_SHMEM_DEFINE(void, shmem_team_destroy, (shmem_team_t team)) {
  if (team == SHMEM_TEAM_INVALID) return;
  if (k_checks_all) check_destroyed(team);
  const bool is_predefined = team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED;
  auto* const one = find_team(team);
  if (one != nullptr && !is_predefined) end_team(*one);
}
