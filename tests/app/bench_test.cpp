// Tests that the micro-benchmarks run at small sizes. The tests do not judge the speed of the
// benchmarks.

#include "graph/bvgraph_files.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <set>

namespace atl::app {
namespace {

const std::string k_switches = "$p bench context-switch --switches 2000 --trials 2 ";
const std::string k_messages =
    "$p bench messages --messages 5000 --round-trips 300 --tasks 7 --cold-size 200KiB --trials 2 ";

std::set<std::string> metrics_of(const nlohmann::json& result) {
  std::set<std::string> names;
  for (const auto& [name, metric] : result["metrics"].items()) {
    EXPECT_EQ(metric["values"].size(), 2u) << name;
    for (const double value : metric["values"]) EXPECT_GT(value, 0) << name;
    names.insert(name);
  }
  return names;
}

void expect_metrics(const std::string& command, const std::set<std::string>& names) {
  const auto result = json_of(command);
  EXPECT_EQ(result["verified"], true) << command;
  EXPECT_EQ(metrics_of(result), names) << command;
}

TEST(bench, lists_the_benchmarks) {
  expect("$p bench", 0, "context-switch");
  expect("$p bench", 0, "messages");
  expect("$p bench", 0, "stealing");
  expect("$p bench", 0, "stack");
  expect("$p bench", 0, "queue");
  expect("$p bench", 0, "hash-set");
  expect("$p bench", 0, "hash-map");
  expect("$p bench", 0, "event-latency");
  expect("$p bench", 0, "event-throughput");
  expect("$p bench", 0, "reductions");
  expect("$p bench", 0, "copies");
  expect("$p bench", 0, "reading");
}

TEST(bench, refuses_bad_input) {
  expect("$p bench context-swich", 2, "did you mean context-switch?");
  expect("$p bench context-switch --tasks 10,0", 2, "--tasks: 0 is out of range");
  expect("$p bench context-switch --tasks 10,", 2, "--tasks: ");
  expect("$p bench messages --cold-size 1GiB", 2, "--cold-size: 1GiB is out of range");
}

TEST(bench, events) {
  for (const auto* flags : {"--pes 1", "--pes 2", "--pes 3 --pe-kind thread"}) {
    const std::string of(flags);
    expect_metrics("$p bench event-latency --trials 2 --events 100 " + of,
                   {"nanoseconds_per_trigger", "nanoseconds_per_creation", "rate", "rate_per_core",
                    "seconds"});
    for (const auto* fan : {"1", "2", "5 --tracks 3"})
      expect_metrics("$p bench event-throughput --trials 2 --levels 30 " + of + " --fan " + fan,
                     {"rate", "rate_per_core", "event_rate", "creation_part", "seconds"});
  }
}

TEST(bench, switches_of_one_task_count) {
  const std::set<std::string> names = {"nanoseconds_per_switch", "rate", "rate_per_core"};
  for (const auto* flags : {"--pes 1 --tasks 1", "--pes 2 --tasks 100", "--pes 3 --tasks 7",
                            "--pes 2 --pe-kind thread --tasks 10"})
    expect_metrics(k_switches + flags, names);
}

TEST(bench, switches_of_several_task_counts) {
  expect_metrics(k_switches + "--pes 1 --tasks 3,50",
                 {"nanoseconds_per_switch_3", "nanoseconds_per_switch_50", "rate", "rate_3",
                  "rate_50", "rate_per_core"});
}

TEST(bench, switches_of_one_pe_and_then_of_all_cores) {
  const auto result = json_of(k_switches + "--tasks 20");
  EXPECT_EQ(result["parameters"]["pes"], 1);
  EXPECT_EQ(metrics_of(result).contains("rate_all_pes"), result["host"]["cores"] > 1);
}

TEST(bench, messages) {
  const std::set<std::string> names = {"rate",     "rate_per_core",  "rate_mixed_per_core",
                                       "blocking", "create_enqueue", "serialize",
                                       "deliver"};
  for (const auto* flags : {"", "--pes 1", "--pes 3", "--pe-kind thread"})
    expect_metrics(k_messages + flags, names);
}

TEST(bench, messages_one_by_one) {
  expect_metrics(k_messages + "--aggregation off",
                 {"rate", "rate_per_core", "rate_mixed_per_core", "blocking"});
}

TEST(bench, spreads_stealable_tasks) {
  for (const int pes : {2, 3}) {
    nlohmann::json metrics;
    // The short tasks sometimes end before another PE gets a processor. A second run then has
    // longer tasks.
    for (const char* work : {"5us", "200us"}) {
      const auto result = json_of(
          fmt::format("$p bench stealing --tasks 20000 --work {} --trials 1 --pes {}", work, pes));
      EXPECT_EQ(result["verified"], true);
      metrics = result["metrics"];
      if (metrics["least_share"]["median"] > 0) break;
    }
    for (const char* metric : {"rate", "rate_per_core", "seconds", "rate_one_pe", "speed_up",
                               "least_share", "tasks_stolen", "steals"}) {
      EXPECT_GT(metrics[metric]["median"], 0) << metric;
    }
  }
  const auto alone = json_of("$p bench stealing --tasks 3000 --trials 1 --pes 1");
  EXPECT_EQ(alone["verified"], true);
  EXPECT_EQ(alone["metrics"]["tasks_stolen"]["median"], 0);
  expect("$p bench stealing --work 2h", 2, "--work: ");
}

TEST(bench, fill_a_structure_for_the_mix) {
  const auto prefill_of = [](const std::string& mix) {
    const auto result = json_of("$p bench stack --alone --operations 8000 --workers 10 --trials 1 "
                                "--pes 2 --mix " +
                                mix);
    const auto& metrics = result["metrics"];
    EXPECT_EQ(metrics.contains("empty_pops"), mix != "1");
    EXPECT_EQ(metrics.value("/empty_pops/median"_json_pointer, 0.0), 0) << mix;
    return result["parameters"]["prefill"].get<int>();
  };
  EXPECT_EQ(prefill_of("1"), 0);
  EXPECT_EQ(prefill_of("0.5"), 1000);
  EXPECT_EQ(prefill_of("0.25"), 5000);
  EXPECT_EQ(prefill_of("0"), 9000);
}

TEST(bench, stacks_and_queues_in_all_modes) {
  for (const char* structure : {"stack", "queue"}) {
    for (const char* mode : {"none", "central", "local", "both"}) {
      const auto result = json_of(fmt::format(
          "$p bench {} --mix 0.5 --operations 4001 --prefill 1000 --workers 100 --trials 1 "
          "--pes 3 --combining {}",
          structure, mode));
      EXPECT_EQ(result["verified"], true) << structure << mode;
      for (const char* metric :
           {"rate", "rate_none", "lone_nanoseconds", "none_by_round_trip", "operations_per_commit",
            "rate_push_only", "fraction_of_push_only"}) {
        EXPECT_GT(result["metrics"][metric]["median"], 0) << structure << mode << metric;
      }
      EXPECT_FALSE(result["batch_sizes"].empty());
      const double timed = result["metrics"]["rate"]["median"].get<double>() *
                           result["metrics"]["seconds"]["median"].get<double>();
      EXPECT_NEAR(timed, 4001, 0.1) << structure << mode;
    }
  }
  expect("$p bench stack --mix 1.5", 2, "--mix: 1.5 is out of range (0 to 1)");
  expect("$p bench queue --transport sim --compare", 2, "--compare: the other programs run by");
  expect("$p bench queue --combining much", 2, "--combining: \"much\" is not one of");
}

TEST(bench, hash_tables_in_all_modes) {
  for (const char* structure : {"hash-set", "hash-map"}) {
    for (const char* mode : {"none", "central", "local", "both"}) {
      const auto result = json_of(
          fmt::format("$p bench {} --operations 4001 --key-range 100 --workers 20 --trials 1 "
                      "--pes 3 --combining {}",
                      structure, mode));
      EXPECT_EQ(result["verified"], true) << structure << mode;
      for (const char* metric :
           {"rate", "rate_none", "rate_delegates", "rate_async", "bytes_per_key", "p99_9_growing",
            "p99_9_reserved", "local_rate", "local_limit", "local_bytes_per_key"}) {
        EXPECT_GT(result["metrics"][metric]["median"], 0) << structure << mode << metric;
      }
      EXPECT_EQ(result["metrics"]["keys"]["median"], 100) << structure << mode;
    }
    const auto mixed = json_of(
        fmt::format("$p bench {} --alone --mix 0.5 --operations 999 --key-range 5000 --workers 7 "
                    "--trials 1 --pes 2 --pe-kind thread",
                    structure));
    EXPECT_EQ(mixed["verified"], true) << structure;
    EXPECT_FALSE(mixed["metrics"].contains("rate_async"));
  }
  expect("$p bench hash-set --mix 2", 2, "--mix: 2 is out of range (0 to 1)");
  expect("$p bench hash-map --key-range 0", 2, "--key-range: 0 is out of range");
}

TEST(bench, reductions_by_all_methods) {
  for (const char* form : {"--pes 1", "--pes 3", "--pes 2 --pe-kind thread",
                           "--pes 6 --transport sim --sim-node-size 2"}) {
    for (const char* shape : {"dense", "sparse", "zipf"}) {
      const auto result =
          json_of(fmt::format("$p bench reductions --shape {} --method all --buckets 700 "
                              "--reductions 3000 --trials 1 {}",
                              shape, form));
      EXPECT_EQ(result["verified"], true) << shape << form;
      for (const char* metric : {"rate", "rate_single", "rate_messages", "rate_localized",
                                 "rate_node_fold", "rate_fold", "rate_list", "rate_unaware"}) {
        EXPECT_GT(result["metrics"][metric]["median"], 0) << shape << form << metric;
      }
    }
  }
  expect("$p bench reductions --shape round", 2, "--shape round: there is dense, sparse and zipf");
  expect("$p bench reductions --method quick", 2, "--method quick: there is all, single,");
}

TEST(bench, copies_of_a_block) {
  for (const char* form : {"--pes 1", "--pes 2", "--pes 3 --pe-kind thread"}) {
    const auto result = json_of(fmt::format("$p bench copies --side 77 --trials 1 {}", form));
    EXPECT_EQ(result["verified"], true) << form;
    EXPECT_GT(result["metrics"]["transposed_over_memcpy"]["median"], 0) << form;
  }
}

TEST(bench, reading_of_a_file) {
  const scratch_folder folder;
  bvgraph_files::write(folder.path("a"), bvgraph_files::random_lists(500, 1));
  const auto text = folder.file("b.el", "0 1\n1 2\n2 0\n");
  for (const char* form : {"--pes 1", "--pes 2", "--pes 3 --pe-kind thread"}) {
    for (const auto& path : {folder.path("a.graph"), text}) {
      const auto result =
          json_of(fmt::format("$p bench reading {} --trials 1 --verify {}", path, form));
      EXPECT_EQ(result["verified"], true) << path << form;
      EXPECT_GT(result["metrics"]["rate"]["median"], 0) << path << form;
    }
  }
  expect("$p bench reading", 2, "GRAPH is required");
  const auto read = folder.file("read.el", "0 1\n");
  for (const char* flag : {"--json", "--metrics", "--trace"})
    expect(fmt::format("$p bench reading {} {} {}", read, flag, read), 2, "that is read");
  EXPECT_EQ(content_of(read), "0 1\n");
  expect("$p bench reading " + folder.path("none.graph"), 2, "none.properties: cannot open");
}

}  // namespace
}  // namespace atl::app
