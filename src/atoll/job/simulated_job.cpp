// Runs jobs whose PEs are fibers of one thread and communicate over a simulated network. The
// schedule is drawn at random from a seed, or computed by the model of a cluster.

#include "atoll/error.hpp"
#include "atoll/job/guard.hpp"
#include "atoll/job/hang_carriers.hpp"
#include "atoll/job/job_plan.hpp"
#include "atoll/job/output.hpp"
#include "atoll/job/pe_end.hpp"
#include "atoll/log.hpp"
#include "atoll/observe/who_waits.hpp"
#include "atoll/transport/internode/nodes.hpp"
#include "atoll/transport/sim/endpoint.hpp"
#include "atoll/transport/sim/fiber.hpp"

namespace atl::job {
namespace {

namespace sim = transport::sim;

/// Returns the settings of the job. If the job models a cluster of several nodes, the default
/// buffer size is the same as under MPI.
settings settings_of(const job_plan& plan) {
  settings options = plan.options;
  const int pes_of_node = static_cast<int>(options.sim_node_size);
  if (options.sim_model != sim_model::none && plan.pes > pes_of_node &&
      options.origin("buffer-size") == "default") {
    const int nodes = (plan.pes + pes_of_node - 1) / pes_of_node;
    const auto bytes =
        transport::internode::buffer_bytes_between_nodes(plan.pes, nodes, pes_of_node);
    options.set("buffer-size", std::to_string(bytes), "--sim-model");
  }
  return options;
}

class simulated_job {
 public:
  explicit simulated_job(const job_plan& plan)
      : plan_(plan),
        options_(settings_of(plan)),
        region_(plan.pes, options_, transport::shm::region::rings::none),
        blocking_(region_),
        world_(region_, options_),
        stacks_(plan.pes),
        outcome_(region_) {
    world_.say_death = [](int pe, std::uint64_t site) { say_death(pe, SIGKILL, site); };
    world_.rouse = [this](int pe, nanoseconds time) {
      wires_[static_cast<std::size_t>(pe)]->rouse_at(time);
    };
    world_.deliver = [this](const sim::shipment& message, nanoseconds time) {
      if (sim::memory_traffic::carries(message.number))
        return world_.memory.arrived(message.number, time);
      wires_[static_cast<std::size_t>(message.to)]->comes(message, time);
    };
    for (int pe = 0; pe < plan.pes; ++pe) add_pe(pe);
  }

  int run() {
    const crash_reports crashes;
    const crash_stack stack(0);
    job_signals signals(region_);
    children none(plan_.pes);
    guard over(region_, none, signals, plan_.options.hang_timeout, blocking_,
               [this](int) { outcome_.say_exception(); });
    signals.open();
    {
      const pe_output output({.count = plan_.pes}, plan_.pes, options_.tag_output);
      const exit_hook on_exit({last_sites_in(region_), [](int) {}});
      while (!world_.schedule.empty()) run_next_pe(signals);
    }
    over.bodies_have_ended();
    log::debug("schedule {:016x} of --sim-seed {}", world_.history.value(), plan_.options.sim_seed);
    return outcome_.status();
  }

 private:
  void add_pe(int pe) {
    wires_.push_back(std::make_unique<sim::endpoint>(world_, wires_, pe));
    sim::endpoint& wire = *wires_.back();
    fibers_.push_back(std::make_unique<sim::fiber>(stacks_.of(pe), [this, &wire] {
      outcome_.run([&] { return plan_.body(wire); });
      wire.close();
      wire.give_core_away();
    }));
    wire.set_stack(*fibers_.back());
  }

  /// Runs the PE that is due at the earliest simulated time, until this PE suspends. If SIGUSR1 has
  /// arrived, the function first prints where tasks wait.
  void run_next_pe(const job_signals& signals) {
    const std::uint32_t asked = signals.questions();
    if (std::exchange(answered_, asked) != asked) say_answer(who_waits());
    wires_.front()->let_network_go_on(forever);
    if (world_.schedule.earliest() == forever) end_hang();
    if (region_.ended() && !woken_) wake_all();
    const auto [time, pe] = world_.schedule.take();
    now_ = std::max(now_, time);
    const auto index = static_cast<std::size_t>(pe);
    wires_[index]->advance_to(now_);
    name_pe_of_this_thread(pe);
    blocking_.runs(pe);
    fibers_[index]->resume();
  }

  /// Wakes all waiting PEs, so that they notice the end of the job.
  void wake_all() {
    woken_ = true;
    for (int pe = 0; pe < plan_.pes; ++pe) world_.schedule.hasten(pe, now_);
  }

  /// Ends a job in which every PE waits and no traffic is in flight.
  void end_hang() {
    const std::string report = who_waits();
    if (!region_.end(k_status_hang)) return;
    say_hang(fmt::format("nothing is under way, and the program has not ended ({} ns into the run "
                         "of --sim-seed {})",
                         now_, plan_.options.sim_seed),
             report);
  }

  std::string who_waits() {
    std::vector<observe::pe_answer> answers;
    for (std::size_t pe = 0; pe < wires_.size(); ++pe) {
      if (fibers_[pe]->ended()) continue;
      observe::pe_answer answer;
      answer.pe = static_cast<int>(pe);
      fibers_[pe]->as_its_pe([&] { answer.findings = wires_[pe]->sections().collect(); });
      answers.push_back(std::move(answer));
    }
    return observe::who_waits_text(answers);
  }

  const job_plan& plan_;
  const settings options_;
  shm::region region_;
  one_thread_carrier blocking_;
  sim::world world_;
  sim::stacks stacks_;
  body_outcome outcome_;
  std::vector<std::unique_ptr<sim::endpoint>> wires_;
  std::vector<std::unique_ptr<sim::fiber>> fibers_;
  nanoseconds now_ = 0;
  bool woken_ = false;
  std::uint32_t answered_ = 0;  ///< number of SIGUSR1 signals that were answered
};

}  // namespace

int run_simulated(const job_plan& plan) { return simulated_job(plan).run(); }

}  // namespace atl::job
