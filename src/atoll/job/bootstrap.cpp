#include "atoll/job/bootstrap.hpp"

#include "atoll/base/memory_account.hpp"
#include "atoll/error.hpp"
#include "atoll/job/cores.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/launch_info.hpp"
#include "atoll/job/mpi/session.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/transport/delayed.hpp"

#include <algorithm>

namespace atl::job {
namespace {

pe_main with_delay(const pe_main& body, nanoseconds delay) {
  if (delay == 0) return body;
  return [&body, delay](endpoint& wire) {
    transport::delayed_endpoint slower(wire, delay);
    return body(slower);
  };
}

/// Returns a body that calls `body` with an endpoint that delays all messages by the job's setting
/// `delay`. An MPI rank learns the settings of the job only when the job begins, so the returned
/// body itself reads `delay`.
pe_main with_delay_of_job(const pe_main& body) {
  return [&body](endpoint& wire) { return with_delay(body, wire.job_settings()->delay)(wire); };
}

/// Throws `error` (input) for settings that have no effect with this transport. If a setting
/// without effect were ignored, a user could believe that the setting had changed a measurement.
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
  if (by == begun::by_pe_0 && has_launch_info())
    fail(errc::input, "a job that PE 0 begins was started on several PEs; start it without oshrun");
  if (by == begun::by_each) {
    if (const auto card = take_launch_info()) return run_as_attached(settings, whole_body, *card);
  }
  const int pes = by == begun::by_each ? 1 : number_of_pes(settings);
  if (wire == transport_kind::sim)
    return run_simulated({pes, false, core_claims(), settings, whole_body});
  const core_claims claims = free_cores(pes, settings);
  // If a PE shares its core with another job, the PE must not spin while it waits.
  const bool own_cores = cores_suffice(pes) && (!settings.pin || !claims.empty());
  const job_plan plan{pes, own_cores, claims, settings, whole_body, by};
  return settings.pe_kind == pe_kind::thread ? run_as_threads(plan) : run_as_processes(plan);
}

void prepare_for_threads(const settings& settings) {
  if (chosen_transport(settings) == transport_kind::mpi) session::of_process(settings);
}

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

// Bytes of memory per PE that the runtime uses for page tables, object pools and first task frames.
// The amounts for a PE that is a process, a thread or a simulated PE were measured and rounded up.
constexpr std::uint64_t of_process = 4 * mib;
constexpr std::uint64_t of_thread = 2 * mib;
constexpr std::uint64_t of_simulated = mib / 2;

/// Page tables and freed blocks in the allocator have a reserve of 1/32 of the memory that the
/// runtime does not need itself. The fraction was measured and rounded up.
constexpr std::uint64_t one_in_for_allocator = 32;

/// Minimum bytes of memory per PE for data and tasks. A job with less memory per PE is not started.
constexpr std::uint64_t least_share = mib / 2;

std::string text_of(std::uint64_t bytes) { return human_bytes(static_cast<double>(bytes)); }

[[noreturn]] void refuse(int pes, std::uint64_t needed, const memory_status& memory) {
  const std::uint64_t limit = *memory.group_limit + needed - memory.free();
  fail(errc::environment,
       "the control group leaves {} of its {} of memory ({}), and {} PE{} need{} {} for network "
       "buffers, stacks and pools before any data; raise the limit to {} or use fewer PEs (--pes)",
       text_of(memory.free()), text_of(*memory.group_limit), memory.group, pes, pes == 1 ? "" : "s",
       pes == 1 ? "s" : "", text_of(needed), text_of((limit + mib - 1) / mib * mib));
}

}  // namespace

std::uint64_t bytes_of_runtime(int pes, const settings& settings, std::uint64_t usable) {
  const auto all = static_cast<std::uint64_t>(pes);
  if (chosen_transport(settings) == transport_kind::sim) return of_process + all * of_simulated;
  const std::uint64_t staging = all * all * settings.buffer_size;
  const std::uint64_t bodies =
      settings.pe_kind == pe_kind::thread ? of_process + all * of_thread : all * of_process;
  return bodies + staging + shm::bytes_of_rings(pes, settings, usable);
}

// The result leaves a reserve for the allocator, and for the tasks that each PE can run even under
// the smallest memory limit. The reserve is at most one fifth of the memory that the runtime does
// not need itself.
std::uint64_t share_of_group(int pes, const settings& settings, const memory_status& memory) {
  if (!memory.group_limit || settings.memory_limit != 0) return UINT64_MAX;
  const auto all = static_cast<std::uint64_t>(pes);
  const std::uint64_t runtime = bytes_of_runtime(pes, settings, memory.usable());
  const std::uint64_t needed = runtime + all * least_share;
  // Idle simulated PEs take almost no memory, so a simulated job may start with less memory than
  // the estimate.
  const bool may_be_less = chosen_transport(settings) == transport_kind::sim;
  if (memory.free() < needed && !may_be_less) refuse(pes, needed, memory);
  const std::uint64_t rest =
      memory.free() - std::min(runtime, may_be_less ? memory.free() / 2 : runtime);
  const std::uint64_t beside = all * memory_account::usual_least_work + rest / one_in_for_allocator;
  return std::max(rest / 5 * 4, rest > beside ? rest - beside : 0) / all;
}

settings with_share(const settings& asked, int pes, std::uint64_t share) {
  settings result = asked;
  if (share != UINT64_MAX && asked.memory_limit == 0)
    result.set("memory-limit",
               std::to_string(std::max<std::uint64_t>(share, 1) * static_cast<std::uint64_t>(pes)),
               "machine");
  return result;
}

settings within_control_group(const settings& asked, begun by) {
  const bool is_found_elsewhere =
      chosen_transport(asked) == transport_kind::mpi || (by == begun::by_each && has_launch_info());
  if (is_found_elsewhere) return asked;
  const int pes = by == begun::by_each ? 1 : number_of_pes(asked);
  return with_share(asked, pes, share_of_group(pes, asked, read_memory_status()));
}

settings within_control_group(const settings& asked) {
  return within_control_group(asked, begun::by_pe_0);
}

}  // namespace atl::job
