// Runs jobs whose PEs are processes. Either PE 0 is the calling process and forks the other PEs, or
// each PE is a process that the launcher oshrun has started.

#include "atoll/error.hpp"
#include "atoll/job/cores.hpp"
#include "atoll/job/guard.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/job/threads.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <sys/prctl.h>
#include <unistd.h>

namespace atl::job {
namespace {

/// Ends the job because of an exception of PE `rank`, and returns the exit status. Only the first
/// PE that ends the job prints its exception. Exceptions of other PEs are usually consequences of
/// the first exception.
int end_by_exception(shm::region& region, int rank, const std::exception_ptr& failure) {
  const int status = exit_status_of(failure);
  const shm::announcement words(region);
  if (region.end(status)) say("PE {}: error: {}", rank, describe(failure).c_str());
  return status;
}

int run_body(const job_plan& plan, shm::region& region, int rank) {
  try {
    pe_scope scope(plan, region, rank);
    const pe_output output({.first = rank}, plan.pes, plan.options.tag_output);
    const exit_hook on_exit({last_sites_in(region), [&](int status) { region.end(status); }});
    return plan.body(scope.wire);
  } catch (const job_ended&) {
    return region.end_status();
  } catch (...) {
    return end_by_exception(region, rank, std::current_exception());
  }
}

/// Runs the body of PE `rank`, flushes its output, and records in the region that the PE has
/// finished. Returns the exit status of the PE. An exception ends the job.
int run_child(const job_plan& plan, shm::region& region, int rank) noexcept {
  int status = run_body(plan, region, rank);
  if (!flush_output()) {
    status = std::max(status, k_status_environment);
    const shm::announcement words(region);
    if (region.end(status)) say("PE {}: error: {}", rank, unwritten_output_text().c_str());
  }
  region.block(rank).finished = 1;
  return status;
}

/// Ends the job because prctl has failed for PE `rank`. The failed call of prctl should have made
/// the kernel kill PE `rank` when PE 0 dies.
void end_by_untied_life(shm::region& region, int rank, int reason) noexcept {
  const shm::announcement words(region);
  if (region.end(k_status_environment))
    say("PE {}: error: it could not be tied to the life of PE 0 (prctl): {}", rank,
        std::strerror(reason));
}

[[noreturn]] void be_child(const job_plan& plan, shm::region& region, int rank,
                           pid_t parent) noexcept {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    end_by_untied_life(region, rank, errno);
    _exit(k_status_environment);
  }
  if (getppid() != parent) _exit(k_status_exception);  // the parent died before prctl
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

/// Runs the body of PE 0 and returns its status. If another PE has ended the job early, returns
/// nothing.
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
    // If another PE has ended the job, that PE has printed the reason, and the exception of PE 0 is
    // only a consequence.
    if (!region.end(exit_status_of(std::current_exception()))) return std::nullopt;
    throw;
  }
}

/// The destructor waits for the end of the children, even if PE 0 has ended by an exception.
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

namespace {

/// Makes this process the PE `pe` of the job. If oshrun has started a script as a PE, the script
/// may run several programs in turn. After one program of a script has joined the job, no other
/// program can join as the same PE, because the shared memory keeps the state of the first program.
void claim(shm::region& region, int pe) {
  pid_t former = 0;
  if (!region.block(pe).life.process.compare_exchange_strong(former, getpid()))
    fail(errc::input,
         "process {} has joined this job as PE {} before, and a job takes one program; start each "
         "program of a script by an oshrun of its own",
         former, pe);
}

}  // namespace

// The static variable keeps the region mapped until the process ends. After the end of the process,
// the launcher reads from the shared memory whether the PE had finished its body.
int run_as_attached(const settings& settings, const pe_main& body, const launch_info& card) {
  static std::unique_ptr<shm::region> region;
  region = std::make_unique<shm::region>(card.pes, settings, card.region.shape,
                                         take_descriptors(card.region));
  claim(*region, card.pe);
  const crash_reports crashes;
  std::optional<pinned> pin;
  if (settings.pin && card.core >= 0) pin.emplace(card.core);
  // Wakes the launcher, which must end the job if another PE has exited without joining.
  region->note_event();
  return run_child({card.pes, card.own_cores, core_claims(), settings, body, begun::by_each},
                   *region, card.pe);
}

}  // namespace atl::job
