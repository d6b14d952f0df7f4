#pragma once
// Defines the command of `atoll bfs` and `atoll bench bfs`. A program that replaces a step of the
// search derives its command from the class `bfs_command`.

#include "app/driver/kernel_command.hpp"
#include "atoll/kernels/bfs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

struct command_context;

// The types below hold the flags of the command, and the results that it shows.

struct bfs_flags : graph_flags {
  orientation arcs_are = orientation::undirected;
  std::uint64_t roots = 16;
  std::vector<std::string> chosen_roots;  ///< names or ids of the roots; empty: random roots
  bool levels = false;
  std::string path_to;  ///< name or id of the vertex to which a path is shown; "" for none
};

/// One level of the tree of the first root.
struct bfs_level {
  std::uint64_t vertices = 0;
  std::vector<std::string> examples;  ///< the vertices of the level with the largest degrees
};

struct bfs_findings : graph_findings {
  std::vector<shown_vertex> roots;
  /// For each timed trial, one entry per root with the counts of the search from this root.
  std::vector<std::vector<search_counts>> trials;
  std::vector<bfs_level> levels;
  /// Path from the first root; empty if the root does not reach the goal.
  std::vector<std::string> path;
};

/// Returns the harmonic mean of the rates, as Graph500 defines it.
double mean_rate(const std::vector<search_counts>& searches);

// ---- The command.

class bfs_command : public library_kernel {
 public:
  bfs_command(bfs_flags& flags, const settings& options)
      : library_kernel("bfs", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights = true;
  }

 protected:
  void add_parameters() override;

  /// Prepares the data that trials need in addition to the graph. The command calls the function
  /// before the first trial.
  virtual task<> prepare(global_graph) { co_return; }

  /// Runs one trial: searches from all roots, one root after the other.
  virtual task<measurements> trial(repeated_searches searches);

  /// Returns an estimate of the memory that a search needs in addition to the search tree, mainly
  /// for copies of levels. The unit of the result is the memory that a list of all vertices needs.
  virtual double copies_of_a_level() const { return 1; }

  const bfs_flags& flags() const { return flags_; }
  bfs_findings& found() { return findings_; }

 private:
  /// Maximum number of examples per level, and maximum number of levels with examples.
  static constexpr std::uint64_t k_examples = 5;
  static constexpr std::uint64_t k_levels = 64;

  void check_before_start() override;
  std::vector<compared_program> programs() override;
  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "searching"; }
  void describe() override;

  bool undirected() const { return flags_.arcs_are == orientation::undirected; }

  void check_memory(graph_size size) override;
  graph_options building() const override {
    graph_options wanted;
    wanted.directed = !undirected();
    wanted.reversed = flags_.arcs_are == orientation::in;
    wanted.keep_edges = flags_.common.verify;
    return wanted;
  }

  task<> look_at(graph_builder& read) override;

  task<> compute(global_graph graph) override;
  task<> choose_roots(global_graph graph);
  task<> ask_for_a_root(global_graph graph);
  task<> look_at_first_tree(global_graph graph, repeated_searches searches);

  const bfs_flags& flags_;
  vertex_output output_;
  bfs_findings findings_;
  std::vector<vertex_id> roots_;  // roots that the user has chosen by --root
  std::optional<vertex_id> goal_;
};

/// Adds all flags of the command. If `flags.common.measures` is true, the command is the benchmark
/// with several timed trials. If `flags.common.measures` is false, the command runs the search once
/// and shows the result. `flags` must live as long as the command.
void add_bfs_flags(CLI::App& command, command_context& context, bfs_flags& flags);

}  // namespace atl::app
