// Implements `atoll-papers model`, which measures the parameters of the performance model of a
// cluster on this machine.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/memory.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"
#include "bench/message_stages.hpp"
#include "reproduction/model/forest_prices.hpp"
#include "reproduction/model/key_prices.hpp"
#include "reproduction/model/machine_prices.hpp"
#include "reproduction/model/rank_prices.hpp"
#include "reproduction/model/runtime_prices.hpp"

#include <memory>
#include <nlohmann/json.hpp>

namespace atl::reproduction {
namespace {

using namespace app;

/// A parameter of model.def: its name, and its value in nanoseconds, or in bytes if `bytes` is
/// true.
struct price_of {
  const char* name;
  double value;
  bool bytes = false;
};
using price_list = std::vector<price_of>;

class model_benchmark {
 public:
  model_benchmark(const benchmark_flags& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    if (options_.sim_model != sim_model::none || options_.transport == transport_kind::sim)
      fail(errc::input, "--transport sim: what the model charges for is measured without it");
    if (options_.pes != 0 && options_.pes != 2)
      fail(errc::input, "--pes {}: prices are those of one PE, and of two for messages",
           options_.pes);
    options_.pes = 2;
  }

  int run() {
    report result("model", options_);
    check_memory();
    run_trials(result, flags_, [this] { return trial(); });
    auto& file = result.section("prices");
    for (const price_of& each : last_)
      file[each.name] = (each.bytes ? 1 : 1000) * result.median(each.name).value();
    result.line("a file of prices for --sim-prices is what --json FILE writes");
    return publish(result, flags_);
  }

 private:
  // Checks that enough memory is free for the measuring loops. The loops run outside of a job, so
  // the memory limit of a job does not apply.
  void check_memory() const {
    const std::uint64_t cores = read_topology().cores;
    const std::uint64_t needed = prices::bytes_to_measure_machine(cores);
    const job_memory free = memory_for_job(options_);
    if (needed <= free.bytes) return;
    fail(errc::out_of_memory, "the prices of {} core{} are measured with {} of memory, and {}",
         cores, cores == 1 ? "" : "s", human_bytes(static_cast<double>(needed)), free.sentence);
  }

  measurements trial() {
    last_.clear();
    of_machine();
    of_tasks();
    of_forest();
    of_keys();
    of_ranks();
    of_messages();
    of_wire();
    measurements measured;
    for (const price_of& each : last_)
      measured.push_back({each.name, each.bytes ? "B" : "ns", each.value});
    return measured;
  }

  void add(const price_list& more) { last_.insert(last_.end(), more.begin(), more.end()); }

  void of_machine() {
    const auto found = prices::measure_machine(read_topology().cores);
    line_ = found.second_level_line;
    add({{"second_level", static_cast<double>(found.held.second_level), true},
         {"third_level", static_cast<double>(found.held.third_level), true},
         {"second_level_line", found.second_level_line},
         {"third_level_line", found.third_level_line},
         {"memory_line", found.memory_line},
         {"memory_gap_per_byte", found.memory_gap_per_byte},
         {"tree_nodes_hashed", found.tree_node_hashed},
         {"places_scrambled", found.place_scrambled},
         {"edges_scanned", found.edge_scanned},
         {"vertices_visited", found.vertex_visited},
         {"bytes_copied", found.byte_copied},
         {"parcel_bytes_forwarded", found.byte_copied_in_caches},
         {"core_switch", found.core_switch}});
  }

  void of_tasks() {
    settings alone = options_;
    alone.pes = 1;
    const auto found = result_of_job(alone, [] { return prices::measure_tasks(); });
    add({{"context_switches", found.context_switch},
         {"scheduler_rounds", found.round},
         {"tasks_started", found.task},
         {"requests_combined", found.request_combined},
         {"requests_served", found.request_served},
         {"events_made", found.event_made},
         {"waiters_woken", found.waiter_woken},
         {"reservations_granted", found.reservation_granted}});
  }

  settings alone_for_seconds() const {
    settings alone = options_;
    alone.pes = 1;
    alone.stall_time = {};  // no report of stalled tasks, because one task computes for seconds
    return alone;
  }

  void of_forest() {
    const auto found = result_of_job(alone_for_seconds(), [] { return prices::measure_forest(); });
    add({{"forest_edges_built", found.edge_built},
         {"forest_edges_scanned", found.edge_scanned},
         {"forest_edges_relabelled", found.edge_relabelled},
         {"forest_edges_merged", found.edge_merged},
         {"forest_edges_sorted", found.edge_sorted},
         {"components_visited", found.component_visited}});
  }

  void of_keys() {
    const auto found =
        result_of_job(alone_for_seconds(), [line = line_] { return prices::measure_keys(line); });
    add({{"keys_counted", found.counted},
         {"keys_placed", found.placed},
         {"keys_appended", found.appended}});
  }

  void of_ranks() {
    const auto found = result_of_job(alone_for_seconds(), [] { return prices::measure_ranks(); });
    add({{"contributions_summed", found.contribution_summed},
         {"contributions_combined", found.contribution_combined},
         {"ranks_updated", found.rank_updated}});
  }

  void of_messages() {
    const auto found = result_of_job(bench::messages::settings_for_stages(options_),
                                     [] { return prices::measure_message(); });
    add({{"messages_submitted", found.created},
         {"buffer_bytes_sent", found.byte_handed_over},
         {"messages_executed", found.executed},
         {"local_messages_executed", found.executed},
         {"control_messages_executed", found.executed},
         {"messages_relayed", found.executed + found.created}});
  }

  void of_wire() {
    const auto found = prices::measure_wire(options_);
    add({{"look", found.look},
         {"clock", found.clock},
         {"local_overhead", found.buffer},
         {"local_latency", found.journey}});
  }

  const benchmark_flags& flags_;
  settings options_;
  price_list last_;
  double line_ = 0;  // nanoseconds per access to the second-level cache
};

constexpr const char* k_model_explanation =
    "\nThe model of a cluster (--sim-model) charges PEs for what they count. Here each price is\n"
    "measured by itself, by loops and jobs that do little else; kernels are not among them, so "
    "that\nthey can check the model. Measure on a quiet machine:\n\n"
    "  atoll-papers model --json prices.json\n"
    "  atoll bench gups --pes 2 --transport sim --sim-model grappa2014 --sim-prices prices.json";

}  // namespace

void add_model(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<benchmark_flags>();
  auto& command =
      add_command(root, context, "model", "Prices of this machine for the model of a cluster",
                  [&context, flags] { return model_benchmark(*flags, context.settings).run(); });
  add_benchmark_flags(command, *flags);
  add_settings_flags(command, context);
  add_explanation(command, k_model_explanation);
}

}  // namespace atl::reproduction
