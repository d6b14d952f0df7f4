#include "atoll/observe/counters.hpp"

#include "atoll/error.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace atl::observe {
namespace {

constexpr counter_description k_table[] = {
#define ATOLL_COUNTER(name, unit, combine, sentence)                                               \
  {#name, unit, combination::combine, sentence, &counters::name},
#include "atoll/observe/counters.def"
#undef ATOLL_COUNTER
};

constexpr activity_description k_activities[] = {
    {"tasks", &counters::tasks_nanoseconds},
    {"handlers", &counters::handlers_nanoseconds},
    {"aggregation", &counters::aggregation_nanoseconds},
    {"transport", &counters::transport_nanoseconds},
    {"idle", &counters::idle_nanoseconds},
};

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0.0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

nlohmann::json average(std::string_view unit, std::string_view sentence, double value) {
  return {{"unit", unit}, {"sentence", sentence}, {"value", value}};
}

nlohmann::json averages_json(const counters& all, double run_nanoseconds_of_all) {
  return {
      {"bytes_per_message", average("bytes", "average payload of an application message",
                                    ratio(all.message_bytes_executed, all.messages_executed))},
      {"bytes_per_buffer", average("bytes", "average size of a network buffer",
                                   ratio(all.buffer_bytes_sent, all.buffers_sent))},
      {"ready_length", average("tasks", "average length of the ready queue",
                               ratio(all.ready_length_total, all.scheduler_rounds))},
      {"active_tasks", average("tasks", "average number of unfinished tasks of a PE",
                               ratio(all.active_tasks_total, all.scheduler_rounds))},
      {"idle_fraction",
       average("1", "share of the time that PEs waited with nothing to do",
               run_nanoseconds_of_all == 0
                   ? 0.0
                   : static_cast<double>(all.idle_nanoseconds) / run_nanoseconds_of_all)},
      {"network_busy",
       average("1", "share of the time that the way from a node into a modelled network was taken",
               run_nanoseconds_of_all == 0
                   ? 0.0
                   : static_cast<double>(all.network_nanoseconds * all.node_pes) /
                         run_nanoseconds_of_all)},
  };
}

/// Calls `action`. If `action` throws an `error`, the function throws an `error` (environment)
/// whose text begins with the name of the setting, --metrics.
template <class Action>
void for_metrics(Action action) try {
  action();
} catch (const error& refusal) {
  fail(errc::environment, "--metrics {}", refusal.what());
}

std::uint64_t known_nanoseconds(const counters& of_pe) {
  std::uint64_t sum = 0;
  for (const auto& activity : k_activities) sum += of_pe.*activity.nanoseconds;
  return sum;
}

double percent_of(const counters& of_pe, const activity_description& activity) {
  return 100 * ratio(of_pe.*activity.nanoseconds, known_nanoseconds(of_pe));
}

nlohmann::json time_json(std::span<const counters> of_pes, const counters& all) {
  nlohmann::json shares;
  for (const auto& activity : k_activities) {
    nlohmann::json values = nlohmann::json::array();
    for (const auto& one : of_pes) values.push_back(percent_of(one, activity));
    shares[std::string(activity.name)] = {
        {"unit", "%"}, {"all_pes", percent_of(all, activity)}, {"per_pe", values}};
  }
  return shares;
}

nlohmann::json latency_json(const log_histogram& latencies) {
  return {{"unit", "ns"},
          {"sentence", "time a task waited for a blocking delegate of another PE, of a sample"},
          {"samples", latencies.count()},
          {"mean", latencies.mean()},
          {"p50", latencies.quantile(0.5)},
          {"p90", latencies.quantile(0.9)},
          {"p99", latencies.quantile(0.99)},
          {"max", latencies.largest()}};
}

}  // namespace

std::span<const counter_description> counter_table() { return k_table; }
std::span<const activity_description> activity_table() { return k_activities; }

counters combined(std::span<const counters> of_pes) {
  counters all;
  for (const auto& one : of_pes) {
    for (const auto& entry : k_table) {
      auto& total = all.*entry.member;
      const std::uint64_t value = one.*entry.member;
      total =
          entry.combine == combination::sum ? total + value : std::max<std::uint64_t>(total, value);
    }
  }
  return all;
}

counters difference(const counters& later, const counters& earlier) {
  counters result = later;
  for (const auto& entry : k_table) {
    if (entry.combine == combination::sum) result.*entry.member -= earlier.*entry.member;
  }
  return result;
}

std::string metrics_text(std::span<const counters> of_pes, const log_histogram& latencies) {
  const counters all = combined(of_pes);
  nlohmann::json document = {{"pes", of_pes.size()}};
  double run_nanoseconds_of_all = 0;
  for (const auto& one : of_pes) {
    run_nanoseconds_of_all += static_cast<double>(one.run_nanoseconds);
  }
  for (const auto& entry : k_table) {
    nlohmann::json values = nlohmann::json::array();
    for (const auto& one : of_pes) values.push_back(std::uint64_t{one.*entry.member});
    document["counters"][std::string(entry.name)] = {
        {"unit", entry.unit},
        {"sentence", entry.sentence},
        {entry.combine == combination::sum ? "total" : "largest", std::uint64_t{all.*entry.member}},
        {"per_pe", values}};
  }
  document["time"] = time_json(of_pes, all);
  document["latency"]["blocking_delegates"] = latency_json(latencies);
  document["averages"] = averages_json(all, run_nanoseconds_of_all);
  return document.dump(2) + "\n";
}

void write_metrics(const std::string& file, std::span<const counters> of_pes,
                   const log_histogram& latencies) {
  const std::string text = metrics_text(of_pes, latencies);
  if (file == "-") {
    std::cout << text;
    return;
  }
  for_metrics([&] {
    output_file out(file, output_to::anything);
    out.write(text);
    out.commit();
  });
}

void check_metrics_file(const std::string& file) {
  if (file.empty() || file == "-") return;
  for_metrics([&] { check_output(file, output_to::anything); });
}

}  // namespace atl::observe
