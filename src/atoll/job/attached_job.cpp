// A PE whose process was started by a launcher of ours, and runs a program of its own: it joins the
// job the launcher has made, and watches over.

#include "atoll/error.hpp"
#include "atoll/job/child_body.hpp"
#include "atoll/job/core_claims.hpp"
#include "atoll/job/crash_report.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/pinning.hpp"

#include <memory>
#include <optional>
#include <unistd.h>

namespace atl::job {

namespace {

/// A script may start several programs as one PE. The memory of the job is that of the first, and
/// holds what that has left.
void claim(shm::region& region, int pe) {
  pid_t former = 0;
  if (!region.block(pe).life.process.compare_exchange_strong(former, getpid()))
    fail(errc::input,
         "process {} has joined this job as PE {} before, and a job takes one program; start each "
         "program of a script by an oshrun of its own",
         former, pe);
}

}  // namespace

// The region stays mapped: the launcher looks at it when the process ends.
int run_as_attached(const settings& settings, const pe_main& body, const launch_card& card) {
  static std::unique_ptr<shm::region> region;
  region = std::make_unique<shm::region>(card.pes, settings, card.region.shape,
                                         take_descriptors(card.region));
  claim(*region, card.pe);
  const crash_reports crashes;
  std::optional<pinned> pin;
  if (settings.pin && card.core >= 0) pin.emplace(card.core);
  region->note_event();  // the launcher may know of PEs that have ended before they joined
  return run_child({card.pes, card.own_cores, core_claims(), settings, body, begun::by_each},
                   *region, card.pe);
}

}  // namespace atl::job
