// A PE whose process was started by a launcher of ours, and runs a program of its own: it joins the
// job the launcher has made, and watches over.

#include "atoll/base/error.hpp"
#include "atoll/job/child_body.hpp"
#include "atoll/job/core_claims.hpp"
#include "atoll/job/crash_report.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/pinning.hpp"

#include <memory>
#include <optional>

namespace atl::job {

// The region stays mapped: the launcher looks at it when the process ends.
int run_as_attached(const settings& settings, const pe_main& body, const launch_card& card) {
  static std::unique_ptr<shm::region> region;
  region = std::make_unique<shm::region>(card.pes, settings, card.place);
  const crash_reports crashes;
  std::optional<pinned> pin;
  if (settings.pin && card.core >= 0) pin.emplace(card.core);
  region->note_event();  // the launcher may know of PEs that have ended before they joined
  return run_child({card.pes, card.own_cores, core_claims(), settings, body, begun::by_each},
                   *region, card.pe);
}

}  // namespace atl::job
