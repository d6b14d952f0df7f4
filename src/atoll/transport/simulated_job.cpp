// PEs as fibers of one thread, over simulated wires: a schedule that a seed decides.

#include "atoll/base/log.hpp"
#include "atoll/transport/body_outcome.hpp"
#include "atoll/transport/crash_report.hpp"
#include "atoll/transport/job.hpp"
#include "atoll/transport/job_watch.hpp"
#include "atoll/transport/output.hpp"
#include "atoll/transport/say.hpp"
#include "atoll/transport/sim/endpoint.hpp"
#include "atoll/transport/sim/stacks.hpp"

namespace atoll::transport {
namespace {

constexpr int hang_status = 3;

class simulated_job {
 public:
  explicit simulated_job(const job_plan& plan)
      : plan_(plan),
        region_(plan.pes, plan.options),
        world_(region_, plan.options),
        stacks_(plan.pes),
        outcome_(region_) {
    for (int pe = 0; pe < plan.pes; ++pe) add_pe(pe);
  }

  int run() {
    const crash_reports crashes;
    const crash_stack stack(0);
    job_watch watch(region_);
    watch.open();
    while (!world_.turns.empty()) next_turn();
    watch.body_has_ended();
    log::debug("schedule {:016x} of --sim-seed {}", world_.history.value(), plan_.options.sim_seed);
    return outcome_.status();
  }

 private:
  void add_pe(int pe) {
    wires_.push_back(std::make_unique<sim::endpoint>(world_, wires_, pe));
    sim::endpoint& wire = *wires_.back();
    fibers_.push_back(std::make_unique<sim::fiber>(
        stacks_.of(pe), [this, &wire] { outcome_.run([&] { return plan_.body(wire); }); }));
    wire.set_stack(*fibers_.back());
  }

  void next_turn() {
    if (world_.turns.earliest() == forever) end_hang();
    if (region_.ended() && !woken_) wake_all();
    const auto [time, pe] = world_.turns.take();
    now_ = std::max(now_, time);
    const auto index = static_cast<std::size_t>(pe);
    wires_[index]->advance_to(now_);
    name_crashing_pe(pe);
    fibers_[index]->resume();
  }

  /// So that those that wait hear of the end.
  void wake_all() {
    woken_ = true;
    for (int pe = 0; pe < plan_.pes; ++pe) world_.turns.hasten(pe, now_);
  }

  /// Every PE waits and nothing is on its way to any.
  void end_hang() {
    if (!region_.end(hang_status)) return;
    say("hang: every PE waits, and nothing is under way ({} ns into the run of --sim-seed {})",
        now_, plan_.options.sim_seed);
    say_lines(who_waits());
    say("ended with status {}", hang_status);
  }

  std::string who_waits() {
    std::vector<observe::pe_answer> answers;
    for (int pe = 0; pe < plan_.pes; ++pe) {
      const auto index = static_cast<std::size_t>(pe);
      if (fibers_[index]->has_ended()) continue;
      answers.push_back({.pe = pe, .findings = wires_[index]->sections().collect(), .left_out = 0});
    }
    return observe::who_waits_text(answers);
  }

  const job_plan& plan_;
  shm::region region_;
  sim::world world_;
  sim::stacks stacks_;
  body_outcome outcome_;
  std::vector<std::unique_ptr<sim::endpoint>> wires_;
  std::vector<std::unique_ptr<sim::fiber>> fibers_;
  nanoseconds now_ = 0;
  bool woken_ = false;
};

}  // namespace

int run_simulated(const job_plan& plan) { return simulated_job(plan).run(); }

}  // namespace atoll::transport
