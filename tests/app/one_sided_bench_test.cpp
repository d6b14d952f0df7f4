// Runs the benchmarks of one-sided access and related operations. The runs are too short to judge
// speed.

#include "tests/app/shell.hpp"

#include <vector>

namespace atl::app {
namespace {

const std::string k_short = " --time 1ms --trials 1 ";

const std::vector<std::string> k_between_two = {"put",     "get",    "put-nbi",
                                                "get-nbi", "atomic", "send-receive"};
const std::vector<std::string> k_of_all = {
    "barrier", "broadcast",       "allreduce",         "reduce-to-one",    "all-to-all",
    "ring",    "message-barrier", "message-allreduce", "sequential-reduce"};

std::vector<std::string> all_operations() {
  std::vector<std::string> all = k_between_two;
  all.insert(all.end(), k_of_all.begin(), k_of_all.end());
  return all;
}

bool has_size(const std::string& operation) {
  return operation != "atomic" && !operation.ends_with("barrier");
}

void expect_time(const std::string& command) {
  const auto result = json_of("$p bench " + command + k_short);
  EXPECT_EQ(result["verified"], true) << command;
  EXPECT_GT(result["metrics"]["nanoseconds"]["median"], 0) << command;
  EXPECT_EQ(result["metrics"].contains("bytes_per_second"), result["parameters"].contains("size"));
}

TEST(one_sided_bench, is_listed) {
  const std::string list = shell("$p bench").output;
  for (const std::string& operation : all_operations()) {
    if (operation != "sequential-reduce") {
      EXPECT_NE(list.find("  " + operation + " "), std::string::npos) << operation << "\n" << list;
    }
    expect("$p bench " + operation + " --help", 0, "--time");
  }
}

// The help of `atoll bench put` must name the benchmarks that the list of benchmarks leaves out.
// Each benchmark that the list leaves out must have a help text of its own.
TEST(one_sided_bench, names_what_the_list_leaves_out) {
  for (const std::string operation : {"sequential-reduce", "busy-get"}) {
    expect("$p bench put --help", 0, operation + ":");
    expect("$p bench " + operation + " --help", 0, "--time");
  }
}

TEST(one_sided_bench, measures_and_checks_each_operation) {
  for (const std::string& operation : all_operations()) {
    for (const char* form : {"--pes 2", "--pes 3 --pe-kind thread"})
      expect_time(operation + " " + form);
  }
}

// The three sizes are one byte, a size that is no multiple of a word, and a size larger than a
// buffer.
TEST(one_sided_bench, takes_sizes_of_any_kind) {
  for (const std::string& operation : all_operations()) {
    if (!has_size(operation)) continue;
    for (const char* size : {"1", "13", "100001"})
      expect_time(operation + " --pes 2 --size " + size);
  }
}

TEST(one_sided_bench, runs_between_nodes_of_the_model) {
  const std::string cluster = " --transport sim --sim-model grappa2014 --sim-node-size 1 --pes ";
  for (const std::string& operation : all_operations()) {
    expect_time(operation + cluster + "5");
    if (has_size(operation)) expect_time(operation + cluster + "2 --size 100000");
  }
}

// The LogGP model has an overhead o, a latency L and a gap g. A put, a get or an atomic operation
// takes o + 2 (L + g), plus the time until the waiting PE notices the answer.
TEST(one_sided_bench, takes_on_the_model_what_the_network_takes) {
  const auto nanoseconds = [](const std::string& command) {
    const auto result = json_of("$p bench " + command + k_short +
                                "--transport sim --sim-model grappa2014 --sim-node-size 1 --pes 2");
    return result["metrics"]["nanoseconds"]["median"].get<double>();
  };
  for (const std::string operation : {"put", "get", "atomic"}) {
    EXPECT_GT(nanoseconds(operation), 3'560) << operation;
    EXPECT_LT(nanoseconds(operation), 4'000) << operation;
  }
  // A barrier takes only one overhead, one latency and one gap, because no PE waits for an answer.
  EXPECT_LT(nanoseconds("barrier"), 3'000);
  const double message = nanoseconds("send-receive");
  EXPECT_GT(message, 2'230);
  EXPECT_LT(message, nanoseconds("put"));
  const double large = nanoseconds("put --size 4MiB");
  EXPECT_GT(large, 0.312 * (4 << 20));
  // The network sends large puts without a copy by the processor, so only the network takes time.
  EXPECT_LT(large, 1.02 * 0.312 * (4 << 20));
}

TEST(one_sided_bench, gets_from_a_pe_that_computes) { expect_time("busy-get --pes 2"); }

TEST(one_sided_bench, counts_contended_atomics) { expect_time("atomic --contended --pes 3"); }

TEST(one_sided_bench, refuses_bad_input) {
  for (const std::string& operation : all_operations()) {
    if (!has_size(operation)) {
      expect("$p bench " + operation + " --size 8", 2, "--size");
      continue;
    }
    expect("$p bench " + operation + " --size 0", 2, "--size: 0 is out of range");
    expect("$p bench " + operation + " --size 5MiB", 2, "--size: 5MiB is out of range");
  }
  for (const std::string& operation : k_between_two)
    expect("$p bench " + operation + " --pes 1", 2, "--pes: 1 is too few");
  expect("$p bench busy-get --pes 1", 2, "--pes: 1 is too few");
  expect("$p bench put --time 1us", 2, "--time: 1us is out of range");
}

}  // namespace
}  // namespace atl::app
