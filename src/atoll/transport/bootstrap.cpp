#include "atoll/transport/bootstrap.hpp"

#include "atoll/transport/delayed.hpp"
#include "atoll/transport/job.hpp"
#include "atoll/transport/pinning.hpp"

namespace atoll::transport {
namespace {

pe_main with_delay(const pe_main& body, nanoseconds delay) {
  if (delay == 0) return body;
  return [&body, delay](endpoint& wire) {
    delayed_endpoint slower(wire, delay);
    return body(slower);
  };
}

}  // namespace

int run_pes(const settings& settings, const pe_main& body) {
  const int pes = number_of_pes(settings);
  const pe_main whole_body = with_delay(body, settings.delay);
  if (settings.transport == transport_kind::sim)
    return run_simulated({pes, false, settings, whole_body});
  const job_plan plan{pes, cores_suffice(pes), settings, whole_body};
  return settings.pe_kind == pe_kind::thread ? run_as_threads(plan) : run_as_processes(plan);
}

}  // namespace atoll::transport
