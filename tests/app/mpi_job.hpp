#pragma once
// Starts jobs of the program `atoll` under the launchers of the installed MPI libraries.

#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace atl::app {

struct mpi_launcher_of {
  std::string library;
  std::string command;  ///< the command line without the number of ranks

  /// Returns true if both the launcher and Atoll's plug-in for the MPI library are installed.
  bool is_there() const {
    const auto found = shell("command -v " + command.substr(0, command.find(' ')) +
                             " && ls $(dirname $p)/../lib/atoll/libatoll_mpi_" + library + ".so");
    return found.status == 0;
  }
};

/// Returns a launcher that also works with more ranks than cores: ranks are not bound to cores, and
/// waiting ranks yield their core.
inline mpi_launcher_of launcher_of(const std::string& library) {
  if (library == "mpich") return {library, "mpiexec.mpich -n "};
  return {library, "mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none "
                   "--mca mpi_yield_when_idle 1 -n "};
}

/// Shell functions that find the processes of a job of the test program fault_hanging
/// (tests/fault/hanging.cpp). The command line of each process of the job contains $f. `ranks`
/// prints all processes of the job. `of_rank` prints the processes of one rank: first the keeper,
/// which is the parent process of the PE, and then the PE.
inline const std::string k_functions_of_ranks = R"shell(
ranks() { for i in $(pgrep -x fault_hanging); do grep -qs $f /proc/$i/cmdline && echo $i; done; }
of_rank() {
  both=$(for i in $(ranks); do
    grep -qszE "^(PMI|OMPI_COMM_WORLD)_RANK=$1$" /proc/$i/environ && echo $i; done)
  for i in $both; do for j in $both; do [ $(ps -o ppid= -p $j) = $i ] && echo $i $j; done; done
}
)shell";

/// The parameters of one checked run of a kernel.
struct mpi_case {
  std::string library;
  int ranks;
  std::string node_size;
  /// The value of --routing. The value "off" turns aggregation off, because there is no routing
  /// without aggregation.
  std::string routing;
  std::string kernel;
  std::string program = "$p bench";
};

inline std::string name_of(const mpi_case& of) {
  return of.library + "_" + of.kernel.substr(0, of.kernel.find(' ')) + "_" +
         std::to_string(of.ranks) + "_ranks_node_" + of.node_size + "_routing_" + of.routing;
}

inline std::string command_of(const mpi_case& of, const std::string& more) {
  const std::string sending = of.routing == "off" ? "--aggregation off" : "--routing " + of.routing;
  return fmt::format(
      "timeout 300 {}{} {} {} --transport mpi --verify --trials 1 --node-size {} {} {}",
      launcher_of(of.library).command, of.ranks, of.program, of.kernel, of.node_size, sending,
      more);
}

/// Expects a right result, and that messages between nodes went through MPI.
inline void expect_right(const mpi_case& of) {
  if (!launcher_of(of.library).is_there())
    GTEST_SKIP() << "no " << of.library << " here (its mpirun, and the plug-in for it)";
  const std::string metrics =
      fmt::format("{}atoll_mpi_{}_{}.json", testing::TempDir(), getpid(), name_of(of));
  const auto result = shell(command_of(of, "--metrics " + metrics));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("verified: the result is right"), std::string::npos)
      << result.output;
  const auto read = shell("cat " + metrics + "; rm -f " + metrics);
  const auto json = nlohmann::json::parse(read.output, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << read.output;
  const auto total = [&](const char* counter) {
    return json["counters"][counter]["total"].get<std::uint64_t>();
  };
  EXPECT_GE(total("network_bytes_sent"), total("distant_message_bytes_executed"));
  if (of.node_size == "1") {
    EXPECT_EQ(total("distant_messages_executed"), total("messages_executed"));
  }
  if (of.node_size == "auto" || of.ranks <= std::stoi(of.node_size)) {
    EXPECT_EQ(total("network_bytes_sent"), 0U);
  } else {
    EXPECT_GT(total("network_bytes_sent"), 0U);
  }
}

inline const std::string k_gups = "gups --log2-table 12 --updates-per-word 4";
inline const std::string k_bfs = "bfs --scale 9 --roots 2";
inline const std::string k_uts = "uts";
inline const std::string k_cc = "cc --scale 9 --edge-factor 2";
inline const std::string k_sort = "sort --class S";
inline const std::string k_mst = "mst --scale 10 --edge-factor 4";
inline const std::string k_pagerank = "pagerank --scale 10 --edge-factor 4";

}  // namespace atl::app
