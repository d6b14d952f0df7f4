#include "atoll/memory/observed_job.hpp"

#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/observe/metrics_file.hpp"
#include "atoll/observe/trace_file.hpp"
#include "atoll/transport/site_word.hpp"

namespace atl::memory {

observed_job::observed_job(const settings& options, bool is_shared) : options_(options) {
  const auto launched = job::present_launch();
  if (!launched || launched->rank == 0) observe::check_metrics_file(options.metrics);
  if (!is_shared || job::chosen_transport(options) == transport_kind::mpi) {
    if (options.trace.empty()) return;
    fail(errc::input, "--trace {}: jobs whose PEs a launcher starts have no trace yet",
         options.trace);
  }
  const int pes = job::number_of_pes(options);
  if (observe::counts) board_.emplace(pes, options.transport == transport_kind::sim);
  if (options.trace.empty()) return;
  observe::begin_trace_file(options.trace);
  rings_.emplace(pes, options.trace_size);
}

observed_job::~observed_job() {
  try {
    end(true);
  } catch (const error& refusal) {
    log::error("{}", refusal.what());
  }
}

void observed_job::attach(observe::recorder& recorder, int pe) {
  if (board_) recorder.status = observe::status_writer(board_->slot(pe));
  if (rings_) recorder.trace = rings_->of(pe);
}

void observed_job::end(bool ended_early) {
  if (!rings_) return;
  std::uint64_t dropped = 0;
  for (int pe = 0; pe < rings_->pes(); ++pe) dropped += rings_->of(pe).dropped();
  observe::write_trace_file(options_.trace, *rings_, ended_early, transport::site_of_word);
  rings_.reset();
  if (ended_early)
    fmt::print(stderr, "atoll: the trace in {} ends where the job did, early\n", options_.trace);
  if (dropped != 0)
    log::warning("--trace {}: the {} oldest events had no room in it (--trace-size)",
                 options_.trace, dropped);
}

}  // namespace atl::memory
