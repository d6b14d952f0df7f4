// Inserts one fault at each site of the shared-memory transport, which is a line with an atomic
// operation. With the fault, at least one execution of a scenario must make a PE sleep forever, or
// contain a data race. Without a fault, all executions of the scenarios are right.

#include "transport/litmus/scenario_names.hpp"

#include <algorithm>
#include <stdexcept>

namespace atl::litmus {
namespace {

constexpr const char* sleeps = "sleeps for ever";
constexpr const char* races = "data race";

struct mutant {
  mutation fault;
  const char* found_by;
  const char* failure;
};

const std::vector<mutant> planted_faults = {
    // The following faults are in the transfer of a slot.
    {{"submit: payload", change::postponed}, "two buffers", races},
    {{"submit: bytes.store seq_cst", change::relaxed}, "two buffers", sleeps},
    {{"submit: bytes.store seq_cst", change::postponed}, "two buffers", sleeps},
    {{"poll: bytes.load seq_cst", change::relaxed}, "two buffers", sleeps},
    {{"acquire: bytes.load acquire", change::relaxed}, "a full ring", races},
    // The following faults are in the set of PEs that have sent new buffers.
    {{"submit: ready.load seq_cst", change::relaxed}, "two buffers", sleeps},
    {{"submit: ready.fetch_or seq_cst", change::relaxed}, "one buffer", sleeps},
    {{"submit: ready.fetch_or seq_cst", change::postponed}, "one buffer", sleeps},
    {{"take_new_sources: ready.exchange seq_cst", change::relaxed}, "one buffer", sleeps},
    {{"take_new_sources: ready.exchange seq_cst", change::plain}, "one buffer", sleeps},
    {{"something_arrived: ready.load seq_cst", change::relaxed}, "one buffer", sleeps},
    // the doorbell
    {{"sleep: sleeping.store seq_cst", change::relaxed}, "one buffer", sleeps},
    {{"sleep: sleeping.store seq_cst", change::postponed}, "one buffer", sleeps},
    {{"ring: sleeping.load seq_cst", change::relaxed}, "one buffer", sleeps},
    {{"wake: sleeping.exchange seq_cst", change::postponed}, "one buffer", sleeps},
    {{"futex_wake: sleeping.futex_wake", change::left_out}, "one buffer", sleeps},
    // The following faults are in the return of room to a sender.
    {{"release: bytes.store seq_cst", change::relaxed}, "a full ring", sleeps},
    {{"release: bytes.store seq_cst", change::postponed}, "a full ring", sleeps},
    {{"release: starved.load seq_cst", change::relaxed}, "a full ring", sleeps},
    {{"ask_for_room: starved.fetch_or seq_cst", change::relaxed}, "a full ring", sleeps},
    {{"ask_for_room: starved.fetch_or seq_cst", change::postponed}, "a full ring", sleeps},
    {{"ask_for_room: bytes.load seq_cst", change::relaxed}, "a full ring", sleeps},
    {{"return_room: room.store seq_cst", change::relaxed}, "a full ring", sleeps},
    {{"return_room: room.store seq_cst", change::postponed}, "a full ring", sleeps},
    {{"something_arrived: room.load seq_cst", change::relaxed}, "a full ring", sleeps},
    {{"wait: room.exchange seq_cst", change::relaxed}, "a full ring", sleeps},
    {{"wait: room.exchange seq_cst", change::plain}, "a full ring", sleeps},
    {{"wait: room.exchange seq_cst", change::postponed}, "a full ring", sleeps},
    {{"return_room: starved.fetch_and seq_cst", change::plain}, "two starved senders", sleeps},
    // The following faults are in requests for the attention of a PE.
    {{"draw_attention: attention.store seq_cst", change::relaxed}, "the end of the job", sleeps},
    {{"draw_attention: attention.store seq_cst", change::postponed}, "the end of the job", sleeps},
    {{"something_arrived: attention.load seq_cst", change::relaxed}, "the end of the job", sleeps},
    {{"attend: attention.store seq_cst", change::relaxed}, "the end of the job", sleeps},
    {{"attend: attention.store seq_cst", change::postponed}, "the end of the job", sleeps},
    {{"attend: attention.store relaxed", change::left_out}, "the end of the job", sleeps},
    {{"ended: ended.load seq_cst", change::relaxed}, "the end of the job", sleeps},
    {{"end: ended.compare_exchange seq_cst", change::relaxed}, "the end of the job", sleeps},
    {{"ask: questions.fetch_add seq_cst", change::relaxed}, "a question", sleeps},
    {{"attend: questions.load seq_cst", change::relaxed}, "a question", sleeps},
    {{"attend: answered.store release", change::relaxed}, "a question", races},
    // The following faults are in notices of events of the whole job.
    {{"note_event: events.fetch_add seq_cst", change::relaxed}, "events", sleeps},
    {{"note_event: events.fetch_add seq_cst", change::left_out}, "events", sleeps},
    {{"futex_wake_all: events.futex_wake", change::left_out}, "events", sleeps},
};

/// The sites at which an inserted fault does no harm. A site is a source line with an atomic
/// operation.
const std::set<std::string> harmless = {
    // If another PE has cleared the bit, that PE reports the room.
    "ask_for_room: starved.load seq_cst",
};

const scenario& scenario_called(const std::string& name) {
  const auto found = std::ranges::find(scenarios(), name, &scenario::name);
  if (found == scenarios().end()) throw std::invalid_argument(name);
  return *found;
}

void PrintTo(const mutant& shown, std::ostream* to) { *to << shown.fault.site; }

class shm_mutant : public testing::TestWithParam<mutant> {};

TEST_P(shm_mutant, is_found) {
  const mutant& planted = GetParam();
  const verdict found = scenario_called(planted.found_by).explored(planted.fault);
  EXPECT_TRUE(found.sites.contains(planted.fault.site)) << "there is no such site";
  EXPECT_NE(found.failure.find(planted.failure), std::string::npos) << found.failure;
}

std::string name_of_mutant(const testing::TestParamInfo<mutant>& of) {
  static const char* const changes[] = {"none", "relaxed", "plain", "postponed", "left_out"};
  std::string name;
  for (const char c : of.param.fault.site)
    if (c != ':') name += c == ' ' || c == '.' ? '_' : c;
  return name + "_" + changes[static_cast<int>(of.param.fault.how)];
}

INSTANTIATE_TEST_SUITE_P(sites, shm_mutant, testing::ValuesIn(planted_faults), name_of_mutant);

/// Every site must have a fault in `planted_faults`. The author of a new atomic operation must
/// therefore state which failure its memory order prevents.
TEST(shm_mutants, are_planted_at_every_site) {
  std::set<std::string> sites;
  for (const char* const name :
       {"two buffers", "a full ring", "the end of the job", "a question", "events"}) {
    const verdict found = scenario_called(name).explored({});
    sites.insert(found.sites.begin(), found.sites.end());
  }
  EXPECT_GT(sites.size(), 20u);
  for (const std::string& site : sites) {
    const bool is_weak = site.find("relaxed") != std::string::npos;
    const bool is_planted = std::ranges::any_of(
        planted_faults, [&](const mutant& one) { return one.fault.site == site; });
    EXPECT_TRUE(is_weak || is_planted || harmless.contains(site)) << site;
  }
}

}  // namespace
}  // namespace atl::litmus
