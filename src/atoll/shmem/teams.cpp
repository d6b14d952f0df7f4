#include "atoll/shmem/teams.hpp"

#include "atoll/shmem/meeting.hpp"
#include "atoll/shmem/world.hpp"

#include <array>
#include <bit>

namespace atl::shmem {
namespace {

constexpr int k_predefined = 2;

std::array<team, k_predefined + k_most_teams> teams;
sync_words* words_of_all = nullptr;
// one bit for each used slot; the slots of the predefined teams have no bits
std::atomic<std::uint64_t> taken = 0;

team& settle_in(int number) {
  team& one = teams[static_cast<std::size_t>(number)];
  one.handle = reinterpret_cast<shmem_team_t>(static_cast<std::uintptr_t>(number) + 1);
  one.who.words = words_of_all + number;
  return one;
}

/// If the PEs in `one.listed` are equally far apart, describes the PEs by start and stride. If the
/// PEs are not equally far apart, the group refers to `one.listed`.
void describe_listed(team& one) {
  group& who = one.who;
  const std::vector<int>& pes = one.listed;
  who.size = static_cast<int>(pes.size());
  who.start = pes.front();
  who.stride = pes.size() > 1 ? pes[1] - pes[0] : 1;
  who.listed = {};
  for (int i = 0; i < who.size; ++i)
    if (pes[static_cast<std::size_t>(i)] != who.pe_of(i)) {
      who.listed = pes;
      return;
    }
  one.listed.clear();
}

/// Makes SHMEM_TEAM_SHARED, the team of PEs that can access each other's memory directly.
void list_shared(team& shared) {
  for (int pe = 0; pe < the_world.pes; ++pe)
    if (pe == the_world.pe || the_world.transport->shares_memory_with(pe))
      shared.listed.push_back(pe);
  describe_listed(shared);
  shared.who.me = shared.who.number_of(the_world.pe);
}

std::uint64_t lowest_bits(std::uint64_t of, int count) {
  std::uint64_t bits = 0;
  for (; count > 0; --count, of &= of - 1) bits |= of & -of;
  return bits;
}

}  // namespace

void prepare_teams(std::byte* symmetric_block) {
  words_of_all = reinterpret_cast<sync_words*>(symmetric_block);
  settle_in(0).who = {.size = the_world.pes, .me = the_world.pe, .words = words_of_all};
  list_shared(settle_in(1));
}

team* find_team(shmem_team_t handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle) - 1;
  if (number >= teams.size()) return nullptr;
  team& one = teams[number];
  return one.who.size == 0 ? nullptr : &one;
}

std::uint64_t claim_slots(const collective& of, int count, bool joins) {
  for (;;) {
    const std::uint64_t free = ~bits_of_all(of, joins ? taken.load() : 0);
    if (std::popcount(free) < count) return 0;
    const std::uint64_t chosen = lowest_bits(free, count);
    const std::uint64_t before = joins ? taken.fetch_or(chosen) : 0;
    // Another thread of this PE, which splits another team, may have taken a chosen slot meanwhile.
    const bool lost = (before & chosen) != 0;
    if (bits_of_all(of, lost ? 1 : 0) == 0) return chosen;
    if (joins) give_back_slots(chosen & ~before);
  }
}

void give_back_slots(std::uint64_t slots) { taken.fetch_and(~slots); }

shmem_team_t make_team(int slot, const group& parent, const part& of, int num_contexts) {
  const int me = group{of.start, of.stride, of.size}.number_of(parent.me);
  if (me == -1) return SHMEM_TEAM_INVALID;
  team& one = settle_in(k_predefined + slot);
  if (parent.listed.empty()) {
    one.who.start = parent.pe_of(of.start);
    one.who.stride = parent.stride * of.stride;
    one.who.size = of.size;
  } else {
    for (int i = 0; i < of.size; ++i) one.listed.push_back(parent.pe_of(of.start + i * of.stride));
    describe_listed(one);
  }
  one.who.me = me;
  one.num_contexts = num_contexts;
  return one.handle;
}

void end_team(team& one) {
  const auto slot = &one - teams.data() - k_predefined;
  one.who = {};
  one.listed.clear();
  give_back_slots(std::uint64_t{1} << slot);
}

}  // namespace atl::shmem
