// PEs as the ranks of a launcher: each of them is a process that was started by itself.

#include "atoll/base/error.hpp"
#include "atoll/transport/crash_report.hpp"
#include "atoll/transport/job.hpp"
#include "atoll/transport/mpi/endpoint.hpp"
#include "atoll/transport/mpi/session.hpp"
#include "atoll/transport/output.hpp"
#include "atoll/transport/pinning.hpp"
#include "atoll/transport/say.hpp"

#include <algorithm>
#include <unistd.h>

namespace atoll::transport {
namespace {

constexpr int uncaught_exception = 4;

/// The memory that the ranks of a node share: the first of them makes it. Collective over all
/// ranks. When it returns on all of them, all have it.
std::unique_ptr<shm::region> region_of_node(const atoll_mpi_api& mpi, const mpi::node_map& nodes,
                                            const settings& settings) {
  const int pes = static_cast<int>(nodes.mine.size());
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

/// One job on this rank; the largest status of all ranks.
int run_rank(mpi::session& session, const settings& settings, const pe_main& body) {
  const atoll_mpi_api& mpi = session.mpi();
  const mpi::node_map nodes = mpi::nodes_of(session.hosts(), mpi.rank(), settings.node_size);
  const auto region = region_of_node(mpi, nodes, settings);
  const crash_reports crashes;
  const crash_stack stack(mpi.rank());
  const pe_output output(mpi.rank(), mpi.size(), settings.tag_output);
  mpi::endpoint wire(mpi, *region, nodes, session.kept(), settings);
  const int status = body(wire);
  if (wire.far() != nullptr) wire.far()->drain();
  return largest_of(mpi, status);
}

/// What leaves the body of a PE ends all of them: the others would wait for it.
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
    end_by(uncaught_exception, failure.what());
  } catch (...) {
    end_by(uncaught_exception, "an exception of an unknown type");
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
  session.announce_job(settings);
  return run_guarded(session, settings, body);
}

}  // namespace atoll::transport
