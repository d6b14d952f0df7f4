// PEs as processes: PE 0 is the caller, the others are its forked children.

#include "atoll/error.hpp"
#include "atoll/job/child_body.hpp"
#include "atoll/job/crash_report.hpp"
#include "atoll/job/exit_hook.hpp"
#include "atoll/job/guard.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/pe_scope.hpp"
#include "atoll/job/threads_before_fork.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <cerrno>
#include <optional>
#include <sys/prctl.h>
#include <unistd.h>

namespace atl::job {
namespace {

[[noreturn]] void be_child(const job_plan& plan, shm::region& region, int rank,
                           pid_t parent) noexcept {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    const int reason = errno;
    if (region.end(k_status_environment))
      say("PE {}: error: it could not be tied to the life of PE 0 (prctl): {}", rank,
          std::strerror(reason));
    _exit(k_status_environment);
  }
  if (getppid() != parent) _exit(k_status_exception);  // it died before this was asked for
  _exit(run_child(plan, region, rank));
}

[[noreturn]] void refuse_fork(int reason, int started, int pes) {
  fail(errc::environment, "process {} of {} (--pes) could not be started: {}", started + 1, pes,
       refusal_text(reason, refused::process));
}

void start_children(const job_plan& plan, shm::region& region, job_signals& signals,
                    children& forked) {
  const pid_t parent = getpid();
  for (int rank = 1; rank < plan.pes; ++rank) {
    const pid_t child = fork();
    if (child < 0) refuse_fork(errno, rank, plan.pes);
    if (child == 0) {
      signals.leave_to_child();
      be_child(plan, region, rank, parent);
    }
    forked.add(rank, child);
  }
}

/// Empty when the job has ended early.
std::optional<int> run_pe_0(const job_plan& plan, shm::region& region, guard& over) {
  try {
    pe_scope scope(plan, region, 0);
    const pe_output output({}, plan.pes, plan.options.tag_output);
    const exit_hook on_exit({last_sites_in(region), [&](int status) {
                               region.end(status);
                               over.bodies_have_ended();
                               over.wait_for_children();
                             }});
    return plan.body(scope.wire);
  } catch (const job_ended&) {
    return std::nullopt;
  } catch (...) {
    // Where another PE has ended the job, it has said why, and this is a consequence.
    if (!region.end(exit_status_of(std::current_exception()))) return std::nullopt;
    throw;
  }
}

/// The end of the children, however PE 0 has ended.
struct collected_children {
  guard& over;
  ~collected_children() {
    over.bodies_have_ended();
    over.wait_for_children();
  }
};

}  // namespace

int run_as_processes(const job_plan& plan) {
  if (plan.pes > 1) look_at_threads_before_fork();
  flush_output();
  shm::region region(plan.pes, plan.options);
  const crash_reports crashes;
  job_signals signals(region);
  children forked(plan.pes);
  start_children(plan, region, signals, forked);
  guard over(region, forked, signals, plan.options.hang_timeout,
             plan.by == begun::by_each ? guard::watch::joined : guard::watch::all);
  signals.open();
  std::optional<int> status;
  {
    const collected_children at_the_end{over};
    status = run_pe_0(plan, region, over);
  }
  return region.ended() ? region.end_status() : std::max(*status, over.largest_status());
}

}  // namespace atl::job
