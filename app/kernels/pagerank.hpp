#pragma once
// What `atoll pagerank` and `atoll bench pagerank` are made of. A program in which rank gets to
// others in another way takes it, too.

#include "app/driver/kernel_command.hpp"
#include "atoll/kernels/pagerank.hpp"

#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// ---- What was asked for, and what was found.

struct pagerank_flags : graph_flags {
  pagerank_options with = {.tolerance = 1e-4};
  bool directed = false;    ///< said so
  bool undirected = false;  ///< said so
  bool weighted = false;
  std::uint64_t top = 10;  ///< vertices that are shown

  /// Files hold links from one to another unless it is said otherwise; random graphs do not.
  bool lead_both_ways() const { return undirected || (generated() && !directed); }
};

struct shown_rank {
  shown_vertex of;
  double rank = 0;
};

struct pagerank_findings : graph_findings {
  double plan_seconds = 0;  ///< to prepare an iteration
  std::vector<shown_rank> top;
  bool directed = false;         ///< edges lead one way
  std::uint64_t iterations = 0;  ///< of the last trial
  double change = 0;             ///< of the ranks by its last iteration
};

// ---- The command.

class pagerank_command : public library_kernel {
 public:
  pagerank_command(pagerank_flags& flags, const settings& options)
      : library_kernel("pagerank", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights |= !flags.weighted;
  }

 protected:
  virtual std::string_view algorithm() const { return "blocked"; }

  /// Whether PEs agree on sums first, which takes memory.
  virtual bool plans_sums() const { return true; }

  /// Does once what is the same in all trials.
  virtual task<> prepare(global_graph graph);

  /// Finds the ranks, timed.
  virtual task<page_ranks> rank() { return rankings_.rank(flags_.with); }

  /// Gives back what was prepared.
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
  page_ranks last_;  // of the last trial
};

/// All flags of the command, which measures where the flags say so. `flags` lives as long as it.
void add_pagerank_flags(CLI::App& command, command_context& context, pagerank_flags& flags);

}  // namespace atl::app
