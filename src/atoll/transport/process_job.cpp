// PEs as processes: PE 0 is the caller, the others are its forked children.

#include "atoll/base/error.hpp"
#include "atoll/base/exit_status.hpp"
#include "atoll/transport/clock.hpp"
#include "atoll/transport/crash_report.hpp"
#include "atoll/transport/hang_watch.hpp"
#include "atoll/transport/job.hpp"
#include "atoll/transport/job_watch.hpp"
#include "atoll/transport/output.hpp"
#include "atoll/transport/pe_scope.hpp"
#include "atoll/transport/say.hpp"

#include <cerrno>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace atl::transport {
namespace {

/// How long the other PEs of a job that was ended by `fail` may take to unwind.
constexpr nanoseconds time_for_children_to_unwind = 200'000'000;

/// The one that ends the job says why; what others throw then is a consequence.
int end_by_exception(shm::region& region, int rank, int status, const char* text) {
  if (region.end(status)) say("PE {}: error: {}", rank, text);
  return status;
}

int run_body(const job_plan& plan, shm::region& region, int rank) {
  try {
    pe_scope scope(plan, region, rank);
    const pe_output output(rank, plan.pes, plan.options.tag_output);
    return plan.body(scope.wire);
  } catch (const job_ended&) {
    return region.end_status();
  } catch (const error& failure) {
    return end_by_exception(region, rank, failure.exit_status(), failure.what());
  } catch (const std::exception& failure) {
    return end_by_exception(region, rank, k_status_exception, failure.what());
  } catch (...) {
    return end_by_exception(region, rank, k_status_exception, "an exception of an unknown type");
  }
}

/// No exception may leave it: it would unwind into the child's copy of what is PE 0's.
[[noreturn]] void be_child(const job_plan& plan, shm::region& region, int rank,
                           pid_t parent) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(k_status_exception);  // it died before this was asked for
  const int status = run_body(plan, region, rank);
  flush_output();
  region.block(rank).finished = 1;
  _exit(status);
}

[[noreturn]] void refuse_fork(int reason, int started, int pes) {
  rlimit limit{};
  getrlimit(RLIMIT_NPROC, &limit);
  fail(errc::environment,
       "process {} of {} could not be started: {}; the limit of processes (ulimit -u) is {}; use "
       "fewer --pes",
       started + 1, pes, std::strerror(reason), limit.rlim_cur);
}

void start_children(const job_plan& plan, shm::region& region, job_watch& watch) {
  const pid_t parent = getpid();
  for (int rank = 1; rank < plan.pes; ++rank) {
    const pid_t child = fork();
    if (child < 0) refuse_fork(errno, rank, plan.pes);
    if (child == 0) {
      watch.leave_to_child();
      be_child(plan, region, rank, parent);
    }
    watch.add_child(rank, child);
  }
  watch.open();
}

/// Empty when the job has ended early.
std::optional<int> run_pe_0(const job_plan& plan, shm::region& region) {
  pe_scope scope(plan, region, 0);
  const pe_output output(0, plan.pes, plan.options.tag_output);
  try {
    return plan.body(scope.wire);
  } catch (const job_ended&) {
    return std::nullopt;
  } catch (...) {
    region.end(k_status_exception);
    throw;
  }
}

/// Of a job that has ended early: the PEs that unwind get a moment for it.
void collect_children(job_watch& watch) {
  watch.wait_for_children(monotonic_now() + time_for_children_to_unwind);
  watch.kill_children();
  watch.wait_for_children(forever);
}

}  // namespace

int run_as_processes(const job_plan& plan) {
  flush_output();
  shm::region region(plan.pes, plan.options);
  const crash_reports crashes;
  job_watch watch(region);
  start_children(plan, region, watch);
  const hang_watch over_hangs(region, watch, plan.options.hang_timeout);
  const std::optional<int> status = run_pe_0(plan, region);
  watch.body_has_ended();
  if (status) watch.wait_for_children_or_end();
  collect_children(watch);
  return region.ended() ? region.end_status() : std::max(*status, watch.largest_status());
}

}  // namespace atl::transport
