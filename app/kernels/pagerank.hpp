#pragma once
// Defines the command of `atoll pagerank` and `atoll bench pagerank`. A program that sends ranks to
// other PEs in another way derives its command from the class `pagerank_command`.

#include "app/driver/kernel_command.hpp"
#include "atoll/kernels/pagerank.hpp"

#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// The types below hold the flags of the command, and the results that it shows.

struct pagerank_flags : graph_flags {
  pagerank_options with = {.tolerance = 1e-4};
  bool directed = false;    ///< whether the user gave --directed
  bool undirected = false;  ///< whether the user gave --undirected
  bool weighted = false;
  std::uint64_t top = 10;  ///< number of vertices that are shown

  /// Returns whether edges are undirected. By default, edges of a file are directed, and edges of a
  /// random graph are undirected.
  bool lead_both_ways() const { return undirected || (generated() && !directed); }
};

struct shown_rank {
  shown_vertex of;
  double rank = 0;
};

struct pagerank_findings : graph_findings {
  double plan_seconds = 0;  ///< time in seconds to prepare the iterations
  std::vector<shown_rank> top;
  bool directed = false;         ///< whether edges are directed
  std::uint64_t iterations = 0;  ///< number of iterations of the last trial
  double change = 0;             ///< change of the ranks in the last iteration
};

// ---- The command.

class pagerank_command : public library_kernel {
 public:
  pagerank_command(pagerank_flags& flags, const settings& options)
      : library_kernel("pagerank", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights |= !flags.weighted;
    flags.files.form.real_weights = true;
  }

 protected:
  virtual std::string_view algorithm() const { return "blocked"; }

  /// Returns whether PEs exchange lists of the vertices whose sums they will send. If the result is
  /// true, the memory estimate includes the lists of vertices whose sums are sent.
  virtual bool plans_sums() const { return true; }

  /// Prepares the data that all trials share. The command calls the function once, before the first
  /// trial.
  virtual task<> prepare(global_graph graph);

  /// Finds the ranks. The command measures the time of this function.
  virtual task<page_ranks> rank() { return rankings_.rank(flags_.with); }

  /// Releases the memory that `prepare` has allocated.
  virtual task<> end_ranking() { return rankings_.destroy(); }

 private:
  void check_before_start() override;
  void add_parameters() override;
  std::vector<compared_program> programs() override;
  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "ranking"; }
  void describe() override;

  void check_memory(graph_size size) override;
  graph_options building() const override;
  task<> look_at(graph_builder& read) override;
  task<> check_weights(const graph_builder& read);

  task<> compute(global_graph graph) override;
  task<measurements> trial(global_graph graph);
  task<> show_top(global_graph graph);

  pagerank_flags& flags_;
  vertex_output output_;
  pagerank_findings findings_;
  repeated_rankings rankings_;
  page_ranks last_;  // ranks of the last trial
};

/// Adds all flags of the command. If `flags.common.measures` is true, the command is the benchmark
/// with several timed trials. If `flags.common.measures` is false, the command runs the algorithm
/// once and shows the result. `flags` must live as long as the command.
void add_pagerank_flags(CLI::App& command, command_context& context, pagerank_flags& flags);

}  // namespace atl::app
