// PEs as the ranks of a launcher: processes that were started one by one.

#include "atoll/base/error.hpp"
#include "atoll/base/exit_status.hpp"
#include "atoll/transport/crash_report.hpp"
#include "atoll/transport/hang_watch.hpp"
#include "atoll/transport/job.hpp"
#include "atoll/transport/job_watch.hpp"
#include "atoll/transport/mpi/endpoint.hpp"
#include "atoll/transport/mpi/session.hpp"
#include "atoll/transport/output.hpp"
#include "atoll/transport/pinning.hpp"
#include "atoll/transport/say.hpp"

#include <algorithm>
#include <csignal>
#include <optional>
#include <unistd.h>

namespace atl::transport {
namespace {

/// Each message costs MPI more than a buffer costs shared memory; with its header this is below
/// what MPI sends over TCP without asking the receiver first (64 KiB).
constexpr const char* buffer_between_nodes = "60KiB";
/// Slots of a pair of PEs of one node: so few that they stay in the cache beside the buffers of
/// MPI.
constexpr std::uint64_t large_buffers_per_pair = 4;

/// The memory that the ranks of a node share: the first rank makes it. Collective over all ranks.
/// When it has returned on all ranks, all have it.
std::unique_ptr<shm::region> region_of_node(const atoll_mpi_api& mpi, const mpi::node_map& nodes,
                                            atl::settings settings) {
  const int pes = static_cast<int>(nodes.mine.size());
  if (nodes.mine.size() < nodes.node_of.size() && settings.buffers_per_pair == 0)
    settings.buffers_per_pair = large_buffers_per_pair;
  std::unique_ptr<shm::region> region;
  shm::region_place mine{};
  if (nodes.leader() == mpi.rank()) {
    region = std::make_unique<shm::region>(pes, settings);
    mine = region->place();
  }
  std::vector<shm::region_place> places(nodes.node_of.size());
  mpi.all_gather(&mine, sizeof mine, places.data());
  if (region == nullptr)
    region = std::make_unique<shm::region>(pes, settings,
                                           places[static_cast<std::size_t>(nodes.leader())]);
  return region;
}

int largest_of(const atoll_mpi_api& mpi, int status) {
  std::vector<int> all(static_cast<std::size_t>(mpi.size()));
  mpi.all_gather(&status, sizeof status, all.data());
  return *std::ranges::max_element(all);
}

bool has_default(int signal) {
  struct sigaction action{};
  sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

/// SIGUSR1 is a question to rank 0, which launchers pass to all ranks. A job on one node is watched
/// over as one without a launcher is.
class job_signals {
 public:
  job_signals(mpi::session& session, mpi::endpoint& wire, shm::region& region,
              const settings& settings)
      : is_default_(has_default(SIGUSR1)) {
    const bool is_watched = session.is_first() && wire.far() == nullptr;
    if (is_default_ && !is_watched)
      signal(SIGUSR1, session.is_first() ? &mpi::hang_talk::on_signal : SIG_IGN);
    if (!is_watched) return;
    watch_.emplace(region);
    watch_->open();
    over_hangs_.emplace(region, *watch_, settings.hang_timeout);
  }
  ~job_signals() {
    if (watch_) watch_->body_has_ended();
    over_hangs_.reset();
    watch_.reset();
    if (is_default_) signal(SIGUSR1, SIG_DFL);
  }
  job_signals(const job_signals&) = delete;
  job_signals& operator=(const job_signals&) = delete;

 private:
  bool is_default_;
  std::optional<job_watch> watch_;
  std::optional<hang_watch> over_hangs_;
};

/// Ends a job on one node that hangs, or whose rank 0 was interrupted.
[[noreturn]] void end_early(mpi::session& session, int status) {
  while (!session.is_first()) pause();
  session.abort(status);
}

/// One job on this rank; the largest status of all ranks.
int run_rank(mpi::session& session, const settings& settings, const pe_main& body) {
  const atoll_mpi_api& mpi = session.mpi();
  const mpi::node_map nodes = mpi::nodes_of(session.hosts(), mpi.rank(), settings.node_size);
  const auto region = region_of_node(mpi, nodes, settings);
  const crash_reports crashes;
  const crash_stack stack(mpi.rank());
  const pe_output output(mpi.rank(), mpi.size(), settings.tag_output);
  mpi::endpoint wire(mpi, *region, nodes, session.kept(), settings);
  const job_signals signals(session, wire, *region, settings);
  try {
    const int status = body(wire);
    if (wire.far() != nullptr) wire.far()->drain();
    return largest_of(mpi, status);
  } catch (const job_ended&) {
    end_early(session, region->end_status());
  }
}

/// An exception that leaves the body of a PE ends all PEs: the others would wait for it.
int run_guarded(mpi::session& session, const settings& settings, const pe_main& body) {
  session.kept().may_end = 0;
  const auto end_by = [&](int status, const char* text) {
    say("PE {}: error: {}", session.mpi().rank(), text);
    session.abort(status);
  };
  int status = 0;
  try {
    status = run_rank(session, settings, body);
  } catch (const error& failure) {
    end_by(failure.exit_status(), failure.what());
  } catch (const std::exception& failure) {
    end_by(k_status_exception, failure.what());
  } catch (...) {
    end_by(k_status_exception, "an exception of an unknown type");
  }
  session.kept().may_end = 1;
  return status;
}

[[noreturn]] void serve(mpi::session& session, const pe_main& body) {
  while (const auto options = session.next_job()) run_guarded(session, *options, body);
  flush_output();
  session.end();
  _exit(0);
}

}  // namespace

int run_as_ranks(const settings& settings, const pe_main& body) {
  number_of_pes(settings);  // refuses what the launcher decides
  mpi::session& session = mpi::session::of_process(settings);
  if (!session.is_first()) serve(session, body);
  atl::settings options = settings;
  const mpi::node_map nodes = mpi::nodes_of(session.hosts(), 0, settings.node_size);
  if (nodes.mine.size() < session.hosts().size() && settings.origin("buffer-size") == "default")
    options.set("buffer-size", buffer_between_nodes, "MPI");
  session.announce_job(options);
  return run_guarded(session, options, body);
}

}  // namespace atl::transport
