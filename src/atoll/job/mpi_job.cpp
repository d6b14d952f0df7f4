// Runs a job whose PEs are the ranks of an MPI launcher.

#include "atoll/error.hpp"
#include "atoll/job/cores.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/mpi/node_memory.hpp"
#include "atoll/job/mpi/rank_watch.hpp"
#include "atoll/job/mpi/session.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/launch.hpp"
#include "atoll/transport/internode/nodes.hpp"
#include "atoll/transport/mpi/endpoint.hpp"

#include <algorithm>
#include <csignal>
#include <optional>
#include <unistd.h>

namespace atl::job {
namespace {

using transport::internode::node_map;

int largest_of(const atoll_mpi_api& mpi, int status) {
  std::vector<int> all(static_cast<std::size_t>(mpi.size()));
  mpi.all_gather(&status, sizeof status, all.data());
  return *std::ranges::max_element(all);
}

/// If ranks of this node are about to print why the job ends, waits for them, but for at most two
/// seconds.
void wait_for_words(shm::region& region) {
  constexpr timespec between_looks{0, 10'000'000};
  for (int looks = 0; looks < 200 && region.has_speakers(); ++looks)
    nanosleep(&between_looks, nullptr);
}

/// Ends all ranks of a job that has ended early on this node. Only rank 0 calls MPI_Abort, and the
/// other ranks wait until they are killed.
[[noreturn]] void end_early(session& session, shm::region& region) {
  while (!session.is_first()) pause();
  wait_for_words(region);
  session.abort(region.end_status());
}

/// Ends the job because of the current exception. If several ranks of a node fail, only the first
/// of them prints its exception.
[[noreturn]] void end_by_exception(session& session, shm::region& region) {
  {
    const shm::announcement words(region);
    if (region.end(exit_status_of(std::current_exception()))) session.abort_by_exception();
  }
  end_early(session, region);
}

/// Returns whether this rank sees enough cores to give each rank of its machine a core.
bool sees_cores_for_all(const std::vector<std::uint64_t>& machines, int rank) {
  return enough_cores_for(
      static_cast<int>(std::ranges::count(machines, machines[static_cast<std::size_t>(rank)])));
}

/// Values that must be equal on all ranks of the job or of a node, although the ranks may see
/// different limits.
struct agreed {
  bool own_cores = true;  ///< whether each rank of this node sees a core for every rank
  shm::address_shares shares{UINT64_MAX, UINT64_MAX};
};

/// Computes the values that are equal on all ranks. `sees_cores` states whether this rank sees a
/// core for each rank of its machine. `shares` is the amount of address space per PE that the
/// limits of this rank permit. All ranks must call this function.
agreed agree(const atoll_mpi_api& mpi, const node_map& nodes, bool sees_cores,
             const shm::address_shares& shares) {
  struct seen {
    shm::address_shares shares;
    std::uint64_t sees_cores;
  };
  const seen mine{shares, sees_cores ? 1U : 0U};
  std::vector<seen> all(nodes.node_of.size());
  mpi.all_gather(&mine, sizeof mine, all.data());
  agreed result;
  for (const auto& [each, cores] : all)
    result.shares = {std::min(result.shares.segment_bytes, each.segment_bytes),
                     std::min(result.shares.private_bytes, each.private_bytes)};
  for (const int pe : nodes.mine)
    result.own_cores = result.own_cores && all[static_cast<std::size_t>(pe)].sees_cores != 0;
  return result;
}

/// Runs the body of one job on this rank. Returns the largest status of all ranks.
int run_rank(session& session, const settings& settings, const pe_main& body, begun by) {
  const atoll_mpi_api& mpi = session.mpi();
  const node_map nodes = session.nodes(settings.node_size);
  const auto region = region_of_node(mpi, nodes, settings);
  const agreed shared = agree(mpi, nodes, sees_cores_for_all(session.machines(), mpi.rank()),
                              region->symmetric().shares());
  const crash_reports crashes(crash_reports::of::ranks);
  const crash_stack stack(mpi.rank());
  const short_timer_slack slack;
  const pe_output output({.first = mpi.rank()}, mpi.size(), settings.tag_output);
  transport::mpi::endpoint wire(
      mpi, *region, nodes,
      {session.kept().last_site, [&session](int status) { session.abort(status); }}, settings,
      shared.own_cores, shared.shares);
  const rank_watch watch(session, wire, *region, {settings.hang_timeout, by == begun::by_each});
  const exit_hook on_exit({[&wire](int) { return wire.last_site(); },
                           [&session](int status) { session.abort(status); }});
  try {
    session.kept().stage = life_stage::in_body;
    int status = body(wire);
    wire.drain();
    // Rank 0 continues with its program, which reports lost output itself.
    if (!session.is_first() && !flush_output()) {
      say("PE {}: error: {}", mpi.rank(), unwritten_output_text().c_str());
      status = std::max(status, k_status_environment);
    }
    return largest_of(mpi, status);
  } catch (const job_ended&) {
    end_early(session, *region);
  } catch (...) {
    end_by_exception(session, *region);
  }
}

/// Runs one job on this rank. The function also records the stages of the job for the rank keeper,
/// which reports the death of a rank. An exception that leaves the body of a PE ends all PEs.
int run_guarded(session& session, const settings& settings, const pe_main& body, begun by) {
  session.kept().stage = life_stage::before_body;
  int status = 0;
  try {
    status = run_rank(session, settings, body, by);
  } catch (...) {
    session.abort_by_exception();
  }
  session.kept().stage = life_stage::between_jobs;
  return status;
}

[[noreturn]] void serve(session& session, const pe_main& body) {
  // Launchers send SIGUSR1 to all ranks, but only rank 0 answers.
  if (questions_are_ours()) signal(SIGUSR1, SIG_IGN);
  try {
    while (const auto options = session.next_job())
      run_guarded(session, *options, body, begun::by_pe_0);
  } catch (...) {
    session.abort_by_exception();
  }
  flush_output();
  session.end();
  _exit(0);
}

atl::settings with_buffers_between_nodes(const session& session, atl::settings options) {
  const node_map nodes = session.nodes(options.node_size);
  const auto pes = session.mpi().size();
  const auto pes_of_node = static_cast<int>(nodes.mine.size());
  if (pes_of_node < pes && options.origin("buffer-size") == "default") {
    const auto bytes =
        transport::internode::buffer_bytes_between_nodes(pes, nodes.count(), pes_of_node);
    options.set("buffer-size", std::to_string(bytes), "MPI");
  }
  return options;
}

}  // namespace

int run_as_ranks(const settings& settings, const pe_main& body, begun by) {
  number_of_pes(settings);  // this call throws if the settings contradict the launcher
  session& session = session::of_process(settings);
  if (by == begun::by_pe_0 && !session.is_first()) serve(session, body);
  const atl::settings options =
      session.within_control_groups(with_buffers_between_nodes(session, settings));
  if (by == begun::by_pe_0)
    session.announce_job(options);
  else
    session.is_served_by_none();
  return run_guarded(session, options, body, by);
}

}  // namespace atl::job
