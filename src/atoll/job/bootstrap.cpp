#include "atoll/job/bootstrap.hpp"

#include "atoll/error.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/mpi/session.hpp"
#include "atoll/job/pinning.hpp"
#include "atoll/launch.hpp"
#include "atoll/transport/delayed.hpp"

namespace atl::job {
namespace {

pe_main with_delay(const pe_main& body, nanoseconds delay) {
  if (delay == 0) return body;
  return [&body, delay](endpoint& wire) {
    transport::delayed_endpoint slower(wire, delay);
    return body(slower);
  };
}

/// Under MPI a job has the settings of PE 0.
pe_main with_delay_of_job(const pe_main& body) {
  return [&body](endpoint& wire) { return with_delay(body, wire.job_settings()->delay)(wire); };
}

/// What would change what is measured or tested, and does not here.
void refuse_settings_without_effect(const settings& settings, transport_kind wire) {
  const auto refuse_where = [&](bool ignored, std::string_view name, std::string_view needs) {
    if (ignored)
      fail(errc::input, "--{} {}: has no effect without {}", name, settings.value(name), needs);
  };
  const bool simulated = wire == transport_kind::sim;
  const bool modelled = simulated && settings.sim_model != sim_model::none;
  refuse_where(!simulated && !settings.sim_kill.empty(), "sim-kill", "--transport sim");
  refuse_where(!simulated && settings.sim_model != sim_model::none, "sim-model", "--transport sim");
  const std::string_view a_model = "--transport sim and a --sim-model";
  refuse_where(!modelled && !settings.sim_prices.empty(), "sim-prices", a_model);
  refuse_where(!modelled && !settings.sim_vary.empty(), "sim-vary", a_model);
  if (wire == transport_kind::mpi && settings.pe_kind == pe_kind::thread)
    fail(errc::input, "--pe-kind thread: here each PE is a rank of MPI, a process; leave it away");
}

}  // namespace

int run_pes(const settings& settings, const pe_main& body, begun by) {
  const transport_kind wire = chosen_transport(settings);
  refuse_settings_without_effect(settings, wire);
  if (wire == transport_kind::mpi) return run_as_ranks(settings, with_delay_of_job(body), by);
  const pe_main whole_body = with_delay(body, settings.delay);
  if (by == begun::by_pe_0 && has_launch_card())
    fail(errc::input, "a job that PE 0 begins was started on several PEs; start it without oshrun");
  if (by == begun::by_each) {
    if (const auto card = take_launch_card()) return run_as_attached(settings, whole_body, *card);
  }
  const int pes = by == begun::by_each ? 1 : number_of_pes(settings);
  if (wire == transport_kind::sim)
    return run_simulated({pes, false, core_claims(), settings, whole_body});
  const core_claims claims = free_cores(pes, settings);
  // Who shares its core with another job does not spin.
  const bool own_cores = cores_suffice(pes) && (!settings.pin || !claims.empty());
  const job_plan plan{pes, own_cores, claims, settings, whole_body, by};
  return settings.pe_kind == pe_kind::thread ? run_as_threads(plan) : run_as_processes(plan);
}

void prepare_for_threads(const settings& settings) {
  if (chosen_transport(settings) == transport_kind::mpi) session::of_process(settings);
}

}  // namespace atl::job
