#include "atoll/transport/bootstrap.hpp"

#include "atoll/transport/job.hpp"
#include "atoll/transport/pinning.hpp"

namespace atoll::transport {

int run_pes(const settings& settings, const pe_main& body) {
  const int pes = number_of_pes(settings);
  if (settings.transport == transport_kind::sim) return run_simulated({pes, false, settings, body});
  const job_plan plan{pes, cores_suffice(pes), settings, body};
  return settings.pe_kind == pe_kind::thread ? run_as_threads(plan) : run_as_processes(plan);
}

}  // namespace atoll::transport
